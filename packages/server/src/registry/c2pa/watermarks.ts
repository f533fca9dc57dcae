/**
 * Watermarks for pictures in the C2PA list of soft binding algorithms (April 2026, CC BY 4.0). A value of any other is
 * looked for too.
 */
export const WATERMARKS: readonly string[] = [
  "com.digimarc.validate.1",
  "org.atsc.a336",
  "com.adobe.trustmark.Q",
  "com.adobe.trustmark.C",
  "com.adobe.trustmark.P",
  "ai.steg.api",
  "ai.trufo.gen1.image",
  "ai.trufo.gen1.image-lite",
  "app.overlai.watermark.1",
  "castLabs.watermark.1",
  "com.imatag.lamark.v1",
  "com.nagra.nexguard.watermark.1",
  "com.mentaport.watermark.1",
  "com.microsoft.invismark.1",
  "ai.contentlens.image.basewmk",
  "ai.contentlens.image.ensemblewmk",
  "ai.contentlens.image.customwmk",
  "es.lumatrace",
  "com.markany.watermark.1",
  "com.aiwatermark.pixelseal.1",
];
