import { shellWord } from '../../text/shell-word.ts'
import type { Report } from '../report.ts'
import type { ScreenRow } from './rows.ts'

/** A command that answers a question that the screen leaves open. */
export interface NextCommand {
  /** `two methods`. */
  what: string
  command: string
}

/** Returns the commands that lead on from a run, with the two best methods to compare. */
export function nextCommands(
  { run, comparison, summary }: Report,
  rows: readonly ScreenRow[],
): NextCommand[] {
  const path = shellWord(run)
  const compared = comparison?.comparison.methods ?? []
  const [first, second] = rows.filter(({ name }) => compared.some(({ label }) => label === name))
  const side = (row: ScreenRow) => shellWord(`${run}:${sideName(row)}`)
  return [
    { what: 'all tables', command: `bench report ${path}` },
    { what: 'one trial', command: `bench show ${path} TRIAL` },
    ...(first && second
      ? [{ what: 'two methods', command: `bench compare ${side(first)} ${side(second)}` }]
      : []),
    ...(comparison && !summary.simulated ? [{ what: 'how many tasks', command: `bench power ${path}` }] : []),
  ]
}

const sideName = ({ method, agents, name }: ScreenRow) => (name === method ? method : `${method}@${agents}`)
