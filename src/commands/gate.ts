import { gateLevels } from '../analysis/gates/check-limit.ts'
import { unjoinedNote } from '../loop/join/unjoined.ts'
import { present } from '../reports/words/numbers.ts'
import { escapeForTerminal } from '../reports/words/safe-text.ts'
import { schemaVersion } from '../schema/ledger/record.ts'
import { type Problem, UserError } from '../text/errors.ts'
import { askToLook, reportInterimLook } from './compare/interim-look.ts'
import { factsOf, readSides } from './compare/read-sides.ts'
import { judgePair } from './gates/judge-pair.ts'
import { findMistakes, type PolicyGate, readPolicy } from './gates/read-policy.ts'
import { type GateOutputs, gateReport, gateText, outputProblems, writeGates } from './gates/report-gates.ts'
import { openRun } from './open/open-run.ts'
import { reportNote } from './terminal/report-error.ts'
import { print } from './terminal/say.ts'

interface GateOptions extends GateOutputs {
  policy: string
  json?: boolean
  peek?: boolean
}

/**
 * `bench gate RUN --policy FILE`: says whether a run keeps the limits of a policy, to stdout. Exit code 0: it passes; 1: it fails; 5:
 * there is not enough evidence.
 */
export default async function gate(run: string, options: GateOptions): Promise<number> {
  const opened = openRun(run)
  const { level, gates } = readPolicy(options.policy, opened, outputProblems(options, options.policy))
  const looked = [...new Map(gates.flatMap(({ sides }) => sides).map((side) => [side.folder, side])).values()]
  for (const { folder } of looked) reportNote(unjoinedNote(folder))
  for (const { folder, manifest } of looked)
    await askToLook(folder, manifest, { command: 'gate', peek: options.peek === true })
  const { judged, counts } = judgeGates(gates, level)
  for (const { folder, manifest } of looked)
    reportInterimLook(folder, manifest, counts.get(folder) ?? 0, 'gate')
  const report = gateReport(options.policy, level, judged)
  const json = () => escapeForTerminal(JSON.stringify({ schemaVersion, kind: 'gate', ...report }, null, 2))
  if (options.json) process.stdout.write(`${json()}\n`)
  else print(`${gateText(report)}\n`)
  return writeGates(report, options)
}

/** Judges all gates. Throws `UserError` with the mistakes of all. `counts` has the number of records of each run folder. */
function judgeGates(gates: readonly PolicyGate[], level: number) {
  const levels = gateLevels(level, gates.flatMap(({ limits }) => limits).length)
  const counts = new Map<string, number>()
  const problems: Problem[] = []
  const judged = gates.map(({ where, sides, labels, limits }) => {
    const [method, against] = sides
    // What differs between the two is told from the earlier one on.
    const earlierFirst = [against, method] as const
    const { alone, recorded, summary } = readSides(earlierFirst, labels.toReversed())
    for (const [folder, records] of recorded) counts.set(folder, records)
    const facts = factsOf(earlierFirst, recorded, summary.result())
    return findMistakes(where, problems, () =>
      judgePair({ method, against, labels, data: alone, facts }, limits, levels),
    )
  })
  if (problems.length > 0) throw new UserError(problems)
  return { judged: present(judged), counts }
}
