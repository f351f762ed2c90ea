import type { Problem } from '../errors.ts'
import { unknownName } from '../loop/methods.ts'
import type { Method } from '../schema/trial.ts'
import { isPlainBaseline } from './matched-budgets.ts'

/** The label that the others are compared with: as `--baseline` says, else the plain baseline, else the first method. */
export function baselineOf(
  label: string | undefined,
  methods: readonly Method[],
  problems: Problem[],
): string | null {
  if (label === undefined) return (methods.find(isPlainBaseline) ?? methods[0])?.label ?? null
  if (!methods.some((method) => method.label === label))
    problems.push(
      unknownName(
        `--baseline ${label}`,
        'chosen method',
        label,
        methods.map((method) => method.label),
        '--methods',
      ),
    )
  return label
}
