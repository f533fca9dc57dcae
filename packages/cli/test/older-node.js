// Makes this process look like Node 20 to the command under test; the Node it starts instead tells the truth.
Object.defineProperty(process.versions, "node", { value: "20.20.2" });
