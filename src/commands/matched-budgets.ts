import type { Problem } from '../errors.ts'
import { type KnownStrategy, parseMethod, unknownName } from '../loop/methods.ts'
import { matchUnits } from '../schema/budget-match.ts'
import type { Method } from '../schema/trial.ts'

/** One ask: what an attempt of a matched budget costs. */
export const isPlainBaseline = ({ strategy, options, match }: Method) =>
  strategy === 'baseline' && options.turns === 1 && match === undefined

/**
 * Gives every method that matches another one's spend its baseline, which joins the plan where it is not in it. Adds all
 * that is wrong to `problems`: no such method, one that matches itself or another match, or a unit that is none.
 */
export function withBaseline(
  methods: readonly Method[],
  known: readonly KnownStrategy[],
  problems: Problem[],
): Method[] {
  if (methods.every(({ match }) => match === undefined)) return [...methods]
  const own = methods.find(isPlainBaseline)
  const parsed = own ? { method: own } : parseMethod('baseline', known)
  if ('problems' in parsed) {
    problems.push(...parsed.problems)
    return [...methods]
  }
  const baseline = parsed.method
  if (!own && methods.some(({ label }) => label === baseline.label))
    problems.push({
      where: '--methods',
      what: `another method is labelled "${baseline.label}", which a matched budget needs for its attempts`,
      fix: 'Give that one another label.',
    })
  const labels = methods.filter(({ match }) => !match).map(({ label }) => label)
  const all = methods.map((method) => {
    const { match, label } = method
    if (!match) return method
    const where = `--methods ${label}`
    if (!labels.includes(match.method))
      problems.push(unknownName(where, 'method to match', match.method, labels, '--methods'))
    if (!matchUnits.includes(match.unit))
      problems.push({
        where,
        what: `"${match.unit}" is no unit of a budget`,
        fix: `Write ${match.method}:tokens, or ${matchUnits.slice(1).join(' or ')}.`,
      })
    return { ...method, match: { ...match, baseline: baseline.label } }
  })
  return own ? all : [baseline, ...all]
}
