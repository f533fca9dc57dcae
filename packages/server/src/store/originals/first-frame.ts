import { type RawBuilder, sql } from "kysely";

/**
 * The first frame that shows an `original`; null of what no frame shows. The frame for which one was published may show
 * something else since, as long as its sequence is unfinished, while another frame shows it still.
 */
export const FIRST_FRAME: RawBuilder<number | null> = sql<number | null>`(
  select min(frame_id) from frame where frame.image_no = original.image_no)`;
