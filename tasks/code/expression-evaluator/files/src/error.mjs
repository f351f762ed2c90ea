/** What is wrong with an expression, and at which index of its text. */
export class ExpressionError extends Error {
  constructor(message, position) {
    super(`${message} at ${position}`)
    this.name = 'ExpressionError'
    this.position = position
  }
}
