import { type GateLimit, gateLevels } from '../../analysis/gates/check-limit.ts'
import { unknownName } from '../../loop/plan/unknown-name.ts'
import { type GateReport, measureText } from '../../reports/gates/gate-report.ts'
import { type Problem, problemAt, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { suitesOf } from '../compare/compared-side.ts'
import { parseDecimal } from '../values/parse-values.ts'
import { type GateSides, judgePair } from './judge-pair.ts'
import { type GateOutputs, gateReport, outputProblems } from './report-gates.ts'

/** Conditions of `bench compare`, and the files that their answers are written to. */
export interface ConditionOptions extends GateOutputs {
  failIf?: string
}

/** Chance of a false failure, as that of a policy that states none. */
const level = 0.05

/** Reads the conditions, and checks the files. Throws `UserError` with all mistakes. */
export function readPairConditions(options: ConditionOptions): GateLimit[] {
  const problems: Problem[] = []
  const { failIf, junit, stepSummary } = options
  const limits = failIf === undefined ? [] : parseConditions(failIf, problems)
  for (const [flag, value] of Object.entries({ '--junit': junit, '--step-summary': stepSummary }))
    if (value !== undefined && failIf === undefined)
      problems.push(problemAt(flag, 'needs a condition', "Add one, for example --fail-if 'success<-5'."))
  problems.push(...outputProblems(options))
  if (problems.length > 0) throw new UserError(problems)
  return limits
}

/** Judges the second method against the first; undefined without a limit. Throws `UserError` for suites that the run has not. */
export function judgeConditions(
  limits: readonly GateLimit[],
  sides: GateSides,
  { failIf }: ConditionOptions,
): GateReport | undefined {
  if (limits.length === 0) return undefined
  const { manifest, folder } = sides.method
  const suites = suitesOf(manifest)
  const unknown = limits.flatMap(({ suite }) => (suite === null || suites.includes(suite) ? [] : [suite]))
  if (unknown.length > 0)
    throw new UserError(
      unknown.map((suite) =>
        unknownName(`--fail-if ${failIf}`, `suite of ${folder}`, suite, suites, `bench show ${folder}`),
      ),
    )
  const judged = judgePair(sides, limits, gateLevels(level, limits.length))
  return gateReport(`--fail-if ${failIf}`, level, [judged])
}

const outcomes = ['success', 'score'] as const
const spending = { cost: 'costUsd', tokens: 'tokens', time: 'durationMs' } as const
const names = [...outcomes, ...Object.keys(spending)]

/** Parses conditions on the second method against the first: `success<-5`, `success(SUITE)<-10%`, `cost>1.5x`. Adds all mistakes to `problems`. */
function parseConditions(text: string, problems: Problem[]): GateLimit[] {
  const limits = text.split(/,(?![^()]*\))/).flatMap((part): GateLimit[] => {
    const { name = '', suite: written, bound = '', unit = '' } = condition.exec(part)?.groups ?? {}
    const suite = written === undefined || written === 'all' ? null : written
    const outcome = outcomes.find((known) => known === name)
    const spent = Object.hasOwn(spending, name) ? spending[name as keyof typeof spending] : undefined
    const value = parseDecimal(bound)
    const isLoss = outcome && /<\s*-?[\d.]+\s*%?\s*$/.test(part) && !Number.isNaN(value)
    if (isLoss && value > -100 && value <= 0 && !(unit === '%' && value === 0))
      return [
        unit === '%'
          ? { suite, measure: outcome, margin: null, relativeMargin: -value / 100 }
          : { suite, measure: outcome, margin: -value / 100, relativeMargin: null },
      ]
    if (spent && />/.test(part) && unit !== '%' && value > 0) return [{ suite, measure: spent, ratio: value }]
    const [word = ''] = /\w+/.exec(part) ?? []
    problems.push({
      where: `--fail-if ${part.trim()}`,
      what: isLoss
        ? `must have a number above -100 and ${unit === '%' ? 'below' : 'at most'} 0`
        : 'is no condition on the second method against the first',
      fix: withNear(
        names.includes(word) ? '' : word,
        names,
        'Write for example success<-5 (points), score(SUITE)<-10%, cost>1.5x, tokens>2x or time>2x.',
      ),
    })
    return []
  })
  const inPercent = (limit: GateLimit) => 'relativeMargin' in limit && limit.relativeMargin !== null
  const texts = limits.map((limit) => `${measureText(limit)}${inPercent(limit) ? ' in percent' : ''}`)
  const repeated = new Set(texts.filter((one, at) => texts.indexOf(one) < at))
  for (const one of repeated)
    problems.push(problemAt(`--fail-if ${text}`, `limits ${one} twice`, 'Remove one of the two.'))
  return limits
}

const condition =
  /^\s*(?<name>\w+)\s*(?:\(\s*(?<suite>[^()]+?)\s*\))?\s*[<>]\s*(?<bound>-?[\d.]+)\s*(?<unit>[%x]?)\s*$/
