import { shellWord } from '../../text/shell-word.ts'
import type { Report } from '../report.ts'
import type { ScreenRow } from './rows.ts'

/** A command that answers a question that the screen leaves open. */
export interface NextCommand {
  /** `two methods`. */
  what: string
  command: string
  /** The same with RUN for the run. */
  short: string
}

/** Returns the commands that lead on from a run, with the two best methods to compare. */
export function nextCommands(
  { run, comparison, summary }: Report,
  rows: readonly ScreenRow[],
): NextCommand[] {
  const compared = comparison?.comparison.methods ?? []
  const [first, second] = rows.filter(({ name }) => compared.some(({ label }) => label === name))
  const next = (what: string, command: (run: string) => string) => ({
    ...{ what, command: command(run), short: command('RUN') },
  })
  const side = (of: string, row: ScreenRow) => shellWord(`${of}:${sideName(row)}`)
  return [
    next('all tables', (of) => `bench report ${shellWord(of)}`),
    next('one trial', (of) => `bench show ${shellWord(of)} TRIAL`),
    ...(first && second
      ? [next('two methods', (of) => `bench compare ${side(of, first)} ${side(of, second)}`)]
      : []),
    ...(comparison && !summary.simulated
      ? [next('how many tasks', (of) => `bench power ${shellWord(of)}`)]
      : []),
  ]
}

const sideName = ({ method, agents, name }: ScreenRow) => (name === method ? method : `${method}@${agents}`)
