/** A patch does not fit; `line` is the first line of the text, from 1, that is another. */
export class PatchError extends Error {
  constructor(line) {
    super(`the patch does not fit at line ${line}`)
    this.name = 'PatchError'
    this.line = line
  }
}
