/**
 * Takes out of a test's message what differs between two equal runs: measured durations, addresses, process ids and
 * the private folder. Whole numbers of milliseconds stay, since a test may be about them.
 */
export function normalise(message: string): string {
  return message
    .replace(/(?:file:\/\/)?\/workspace\//g, '')
    .replace(/\bat 0x[0-9a-f]+/gi, 'at 0x…')
    .replace(/\(node:\d+\)/g, '(node)')
    .replace(/\b\d+\.\d+ ?ms\b/g, '… ms')
    .replace(/\b(?:in|after) \d+\.\d+ ?s(?:econds)?\b/g, 'in … s')
    .replace(/\b(duration_ms:?) [\d.]+/g, '$1 …')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim()
}
