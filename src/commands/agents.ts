import { faults } from '../agents/faults.ts'
import { agentSyntax, providers } from '../agents/registry.ts'
import { profileNames } from '../agents/simulated/load-profile.ts'
import { failures } from '../loop/budget/failures.ts'

/** `bench agents`: lists the providers, the profiles of the simulated agent, how failed asks are handled, and the faults that can be injected. */
export default async function agents(options: { json?: boolean }): Promise<number> {
  const rows = providers.map((provider) => ({
    ...{ name: agentSyntax(provider), summary: provider.summary },
    tools: provider.tools ?? 'none',
  }))
  const withTools = (tools: (typeof rows)[number]['tools']) =>
    rows.flatMap((row) => (row.tools === tools ? [row.name] : [])).join(', ')
  const reasons = Object.entries(failures).map(([reason, { retries, ...rule }]) => ({
    reason,
    // JSON has no Infinity.
    askedAgain: retries === Number.POSITIVE_INFINITY ? 'yes' : retries === 0 ? 'never' : `at most ${retries}`,
    ...rule,
  }))
  const kinds = Object.entries(faults).map(([kind, { summary, usage }]) => ({ kind, summary, usage }))
  if (options.json) {
    const all = { providers: rows, profiles: profileNames(), failures: reasons, faults: kinds }
    process.stdout.write(`${JSON.stringify(all, null, 2)}\n`)
    return 0
  }
  const lines = [
    ...rows.map(({ name, summary }) => `${name.padEnd(24)} ${summary}`),
    '',
    `Profiles of the simulated agent (--profile): ${profileNames().join(', ')}`,
    '',
    'Tools (--tools, or tools= of a method)',
    `  called by        ${withTools('called')}`,
    `  its own          ${withTools('own')}`,
    `  none             ${withTools('none')}`,
    '',
    'When an ask fails: whether it is retried (--retries), the outcome of the trial if the method does not handle the failure, and why',
    ...reasons.map(
      ({ reason, askedAgain, unhandled, because }) =>
        `  ${reason.padEnd(16)} ${askedAgain.padEnd(10)} ${unhandled.padEnd(8)} ${because}`,
    ),
    '',
    'Injected faults (--inject [ROLE:]KIND=RATE,…), and the use that such an attempt reports',
    ...kinds.map(({ kind, summary, usage }) => `  ${kind.padEnd(16)} ${summary}; used: ${usage}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  return 0
}
