import { HardLimits } from '../../../schema/machine/breaker.ts'
import { type Add, asList, asMap, asText, type RawMap } from '../../../yaml/raw.ts'

/** For a rule its field, and the hard limit above which it could never break. */
const limits: Readonly<Record<string, { field: string; hard: keyof typeof HardLimits.shape; unit: string }>> =
  {
    transitions: { field: 'max', hard: 'transitions', unit: '' },
    time: { field: 'max_s', hard: 'time_s', unit: ' seconds' },
    cost: { field: 'max_usd', hard: 'cost_usd', unit: ' dollars' },
  }

/** Reports rules that stand twice, and rules that a hard limit always comes before. */
export function checkBreaker(machine: RawMap, add: Add): void {
  const breaker = asMap(machine.circuit_breaker)
  const parsed = HardLimits.safeParse(breaker?.hard ?? {}, { jitless: true })
  for (const [name, field] of Object.entries(HardLimits.shape)) {
    const given = asMap(breaker?.hard)?.[name]
    const most = field.unwrap().maxValue ?? Number.POSITIVE_INFINITY
    if (typeof given === 'number' && given > most)
      add(
        ['circuit_breaker', 'hard', name],
        `is above ${most}, the most that a workflow may have`,
        `Write at most ${most}.`,
      )
  }
  const seen = new Set<string>()
  asList(breaker?.rules).forEach((value, i) => {
    const node = asMap(value)
    const rule = asText(node?.rule)
    const path = ['circuit_breaker', 'rules', i]
    if (!node || rule === undefined) return
    if (seen.has(rule)) add([...path, 'rule'], `"${rule}" stands twice`, 'Keep one of them.')
    seen.add(rule)
    const limit = Object.hasOwn(limits, rule) ? limits[rule] : undefined
    const most = limit && parsed.success ? parsed.data[limit.hard] : undefined
    const given = limit && node[limit.field]
    if (limit && most !== undefined && typeof given === 'number' && given > most)
      add(
        [...path, limit.field],
        `is above the hard limit of ${most}${limit.unit}, so it never breaks`,
        'Write less.',
      )
  })
}
