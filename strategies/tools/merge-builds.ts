import type { BuildResults } from '../../src/schema/stage/tool-reports.ts'

/** Returns one report for several checks of a build. */
export function mergeBuildResults(all: readonly BuildResults[]): BuildResults {
  const raws = all.flatMap(({ raw }) => (raw ? [raw] : []))
  const sum = (of: (one: BuildResults) => number) => all.reduce((total, one) => total + of(one), 0)
  return {
    success: all.every(({ success }) => success),
    summary: {
      errors: sum(({ summary }) => summary.errors),
      warnings: sum(({ summary }) => summary.warnings),
    },
    errors: all.flatMap(({ errors }) => errors),
    ...(raws.length > 0 && {
      raw: {
        reason: raws.map(({ reason }) => reason).join('; '),
        text: raws.map(({ text }) => text).join('\n'),
      },
    }),
  }
}
