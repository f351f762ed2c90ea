/**
 * Hides what differs between equal runs of a program: measured durations, addresses and process ids. Whole numbers of
 * milliseconds stay, since a test may be about them.
 */
export function hideVolatileParts(text: string): string {
  return text
    .replace(/\bat 0x[0-9a-f]+/gi, 'at 0x…')
    .replace(/\(node:\d+\)/g, '(node)')
    .replace(/\b\d+\.\d+ ?ms\b/g, '… ms')
    .replace(/\b(?:in|after) \d+\.\d+ ?s(?:econds)?\b/g, 'in … s')
    .replace(/\b(duration_ms:?) [\d.]+/g, '$1 …')
}
