/** Columns of a line where no terminal tells them, so that logs stay the same. */
const usualWidth = 100

/** Returns the columns of a line: those of the terminal, else of the variable COLUMNS, else 100. */
export function terminalWidth(stream: { columns?: number } = process.stdout): number {
  const { columns } = stream
  const given = columns !== undefined && columns > 0 ? columns : Number(process.env.COLUMNS)
  return Number.isInteger(given) && given > 0 ? given : usualWidth
}
