/** The version of the C2PA specification whose soft binding resolution API is offered. */
export const C2PA_VERSION = "2.4.0";
