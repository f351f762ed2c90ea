import type { KnownStrategy } from '../../loop/plan/method-options.ts'
import type { RunManifest } from '../../schema/run/run.ts'

/** Returns the labels of the methods that can ask a person: their machine has an approval, or their own code calls `approve`. */
export function askingMethods(
  { methods }: Pick<RunManifest, 'methods'>,
  strategies: readonly KnownStrategy[],
): string[] {
  const callers = new Set(
    strategies
      .filter(({ strategy }) => /\bapprove\b/.test(String(strategy.run)))
      .map(({ strategy }) => strategy.name),
  )
  return methods
    .filter(({ strategy, options }) => hasApproval(options) || callers.has(strategy))
    .map(({ label }) => label)
}

function hasApproval({ machine }: Readonly<Record<string, unknown>>): boolean {
  const { states } = (machine ?? {}) as { states?: Readonly<Record<string, { type?: unknown } | undefined>> }
  return Object.values(states ?? {}).some((state) => state?.type === 'human-approval')
}
