/** The number, or the error, that a formula's tree gives with these values of cells. */
export function evaluate(tree, valueOf) {
  throw new Error('not implemented')
}
