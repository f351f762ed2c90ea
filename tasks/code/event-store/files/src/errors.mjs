/** A stream is not at the version that the writer expected. */
export class ConflictError extends Error {
  constructor(stream, expected, actual) {
    super(`${stream} is at version ${actual}, not ${expected}`)
    this.name = 'ConflictError'
    this.stream = stream
    this.expected = expected
    this.actual = actual
  }
}

/** A command that the rules do not allow. */
export class RuleError extends Error {
  constructor(rule) {
    super(`not allowed: ${rule}`)
    this.name = 'RuleError'
    this.rule = rule
  }
}
