/** The lines of two texts as kept, deleted and inserted ones; as many as possible are kept. */
export function diffLines(before, after) {
  throw new Error('not implemented')
}
