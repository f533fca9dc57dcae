/**
 * Every threshold of matching but those of the decision, in one place: what it bounds, its unit, and why it stands
 * where it stands. `docs/matching.md` describes the steps, `docs/measurements/` the sets that they were measured on;
 * `bench/matching/evaluate.ts` measures again. Blocks, cells and layers are those of `signature/block-signature.ts`.
 *
 * A change of any of them changes answers: replay findings before and after.
 */
export const LIMITS = {
  /** Which words a query asks the index with. */
  retrieval: {
    /**
     * Words of one look-up, those of the whole picture included. Bounds the work of the index, which grows with them.
     */
    words: 1200,
    /** Words that the main raster gives for each word of a smaller one. The smaller ones serve small crops only. */
    mainShare: 6,
    /** Words that a sign's raster gives for each word of a smaller one. */
    signShare: 2,
    /** Points of a smaller raster that give words: of a crop that it fits, the original keeps no more. */
    cropPoints: 50,
    /**
     * Points of one raster that may share their first two centres and ask, the first of them; more are lettering or a
     * pattern.
     */
    alike: 2,
    /** Nearest words of a point under which an original with few points is filed. */
    filedRanks: 2,
  },

  /** Queries that are an original saved again or resized, told before any point is looked for. */
  plainCopy: {
    /**
     * Blocks with detail that must be there, the agreement in place that they must exceed, and the share that may not,
     * none beside another.
     */
    blocks: 40,
    agreement: 0.49,
    strangeShare: 0.02,
    /**
     * Votes, in whole pairs, from which another original may show something of the copied one: the query is then looked
     * up in full. Of 100 photographs among 260 chance gives 11 two votes, and none two and a half.
     */
    neighbourVotes: 2.7,
  },

  /** The Hough vote that orders candidates. */
  rank: {
    /** Farthest, of 128 bits, that two descriptors with a word in common may be apart to vote. */
    voteDistance: 42,
    /**
     * Distance at which a pair is a whole vote, about that at which pairs by chance lie oftenest; eight bits nearer it
     * counts twice as much.
     */
    wholeVote: 14,
    /** Pairs of one candidate that vote; more say nothing more, and they bound the cost of a candidate. */
    pairs: 2048,
    /** Side of a position bin, as a share of the original's projected longer side. */
    positionShare: 0.25,
  },

  /** How many candidates go on, and how. Placing costs some ten times what ranking does. */
  pipeline: {
    /**
     * Candidates whose packets are read, those with most votes by their ranking parts: somewhat more than are placed.
     */
    shortlisted: 24,
    /**
     * Of these, so many are read whatever their votes, and as many that share most words: true originals among 256
     * candidates were the fourth at worst by one of the two. The others need so many votes, in whole pairs: chance
     * rarely gives them, the parts of a collage that are named have more.
     */
    surelyShortlisted: 6,
    votesOfPart: 0.25,
    /** Candidates that go on to geometry, most votes first. */
    placed: 20,
    /**
     * The first of these need fewer votes, counted in whole pairs, than the others. Chance gives a candidate 1 to 2
     * votes: true originals with so few are among the first if anywhere, the many parts of a collage have more.
     */
    firstPlaced: 8,
    votesOfFirst: 0.5,
    votesBeyond: 2,
    /**
     * So many in a row without a placement end the search: what shares words by chance comes after all that the query
     * derives from.
     */
    unplaced: 4,
    /** Candidates that are tried as the whole picture though their points say nothing. */
    whole: 10,
    /**
     * Cells that comparing may sample before no further candidate is looked at: counted work, so that a look-up costs
     * about the same whatever matches, and answers the same on every machine. A square original takes at most 4 x 192
     * and 3 x 384 cells squared (589,824). Eight matches are found whatever they cost; from then on what these need
     * that agree exactly, one window a layer of 3:2, is enough.
     */
    firstMatches: 8,
    mostSampled: 4_718_592,
    enoughSampled: 983_040,
    /** Pixels of the query whose straightening costs as much as a cell. */
    straightenedPerCell: 8,
    /**
     * The second variant of a query is placed too when it has this share of the best one's votes: symmetric pictures
     * mislead the vote. Not so for a candidate after the first that has fewer than `votesBeyond`: chance's are among
     * these, and a true one's pairs lie too near to mislead.
     */
    secondVariant: 0.5,
    /**
     * Inliers of its own points from which an original with few is looked at where these put it, before other places.
     */
    surelyPlaced: 40,
    /** Placements of such an original that may be compared; the one that the blocks agree with most is decided on. */
    placementsOfSign: 16,
    /**
     * Cells that choosing among the placements of one such original may sample, and of all of them in a look-up, apart
     * from those above: signs that lie on a page in many ways leave other originals what these need. When all are used
     * up, a further one is placed once, by its own points.
     */
    choosingOfSign: 589_824,
    choosing: 1_769_472,
    /**
     * Closer looks of one look-up, taken where it is close or told by little: each costs about as much as comparing
     * did. One with a blurred query is another.
     */
    closerLooks: 6,
    /** Inliers from which a candidate is compared. Chance reaches four; the blocks tell of the others. */
    compared: 5,
  },

  /** When two descriptors are one point (ratio test, D. Lowe 2004, on bits). */
  descriptors: {
    /** Greatest distance of a pair, of 128 bits. */
    near: 34,
    /** The nearest must be clearly nearer than the second: d < ratio x d2 + slack. */
    ratio: 0.92,
    slack: 1,
  },

  /** The placement: a map of the query to the original that pairs of points agree on. */
  placement: {
    /** How far the scales (as natural logarithms) of two pairs may differ that agree: a factor of two. */
    logScaleError: 0.7,
    /** How far the turns of two pairs may differ that agree, radians. */
    angleError: 0.6,
    /** Pairs whose similarity is tried, nearest in description first. All of them vote; these bound the cost. */
    hypotheses: 400,
    /** Fewest pairs, itself included, that must agree with a hypothesis. */
    votes: 3,
    /** Hypotheses that are refined to affine maps, strongest first. */
    refined: 4,
    /** The same for an original with few points. */
    refinedOfSign: 40,
    /** Fits of one refinement. */
    rounds: 4,
    /** How far an inlier may lie from its predicted place, as a share of the original's longer side. */
    tolerance: 0.012,
    /**
     * The same for hypotheses, and for the last two rounds, as multiples of it: one pair predicts roughly, a fit
     * exactly.
     */
    toleranceOfHypothesis: 1.5,
    toleranceOfFit: 0.5,
    /** Fewest inliers of a similarity, and of an affine map, which a few wrong pairs bend sooner. */
    similarityFrom: 3,
    affineFrom: 6,
    /**
     * Ratio of the singular values of a map, and the range of its determinant (area of the original for area of the
     * query).
     */
    stretch: 2.2,
    smallestArea: 0.02,
    largestArea: 150,
    /** Side, in pixels, of the cells by which inliers are counted: several points of one spot are one witness. */
    cell: 3,
  },

  /** Guided matching: points looked for where a placement predicts them, without the ratio test. */
  guided: {
    /** Inliers from which a placement is worth it, and from which it needs none. */
    from: 5,
    enough: 12,
    /** Farthest, of 128 bits, that a predicted point may be in description. */
    distance: 38,
  },

  /** Radial distortion about the query's centre; strengths are those of the division model, in half diagonals. */
  lens: {
    /**
     * Inliers from which a candidate whose blocks do not agree as it is, or that matches by its odds alone, is tried
     * once more through a lens.
     */
    inliers: 40,
    /** Share of each layer's blocks that agree from which what matches by its odds is not bent. */
    flatFrom: 0.9,
    /** Greatest strength tried, the steps of the first search and of the one about its best. */
    greatest: 0.4,
    coarseStep: 0.04,
    fineStep: 0.005,
    /** Distortion below this moves nothing by as much as a block can follow by itself. */
    least: 0.01,
    /** Share of the error without a lens that may be left with one. */
    explained: 0.7,
    /** Pairs of points that the search looks at. */
    points: 160,
    /** Width of the robust fit, pixels of the original's raster. */
    tolerance: 1,
    /** Estimates, each with the points that the one before brought in, further from the centre. */
    rounds: 3,
  },

  /** The picture as a whole. */
  whole: {
    /** Agreement of cosine signs, -1 to 1, from which the query may be the whole original in some turn. */
    agreement: 0.75,
  },

  /** The alignment of a query with a layer of the original's map, corrected by the blocks themselves. */
  alignment: {
    /** Pairs of points from which the first map is a homography, and the width of its robust fit in cells. */
    homographyFrom: 10,
    tolerance: 0.5,
    /** Cells across and down by which a block may be found shifted: at first, and later. */
    firstRadius: 3,
    radius: 2,
    /** Corrections of a map that points gave; one that comes from the other layer gets a single one. */
    refits: 3,
    refitsOfClose: 1,
    /**
     * A correction is left out that moves no corner of the overlap by more than this, in cells; the same where the map
     * comes from the other layer.
     */
    settled: 0.25,
    settledOfClose: 1,
    /**
     * Exactness, 0 to 1, from which nothing is left to correct: nearly all blocks agree nearly wholly where they are.
     */
    exactEnough: 0.9,
    /** Exactness of the other layer without which this one is not tried with one sample a cell. */
    promisesExact: 0.95,
    /** Agreement in place beyond which a block lies where it is, so that no shift is tried. */
    inItsPlace: 0.85,
    /**
     * Agreement at its best shift from which a block tells where it lies, and how far beyond the radius it may be
     * found, cells.
     */
    tellingFrom: 0.56,
    beyondRadius: 0.3,
    /** Blocks that a correction reads, and the fewest that must be there and tell. */
    blocks: 140,
    fewestBlocks: 8,
    /** Telling blocks from which a correction is a homography, and the width of its robust fit in cells. */
    refitHomographyFrom: 16,
    refitTolerance: 0.35,
    /** Blocks compared on the coarse layer from which the fine one starts where it ended. */
    carryFrom: 20,
  },

  /** What of the two pictures is compared. */
  compare: {
    /** Variance of luma, squared levels, under which a block of the query shows nothing. */
    variance: 16,
    /** Energy of the compared band, squared levels, under which noise and coding decide a block's signs. */
    energy: 2,
    /**
     * The same of a query that is coarsely coded, times the square of its quantisation and (cells for a pixel)^1.5, and
     * of a noisy one, times the squares of its noise and of the cells for a pixel: nine of ten blocks of the same
     * picture agree from there on.
     */
    byQuantisation: 0.0041,
    byNoise: 0.11,
    /**
     * Cells for a pixel up to which, and energy finer than the compared band as a share of it from which, a query
     * resolves a layer.
     */
    cells: 2,
    fineness: 0.4,
    /** How far outside the other frame a place still counts as inside, as a share of its longer side. */
    containmentSlack: 0.01,
    /**
     * A point describes the blocks whose centres lie no further from it, across and down, cells: its own, and a little
     * beyond.
     */
    pointReach: 8,
  },
} as const;
