import { profileNames } from '../agents/load-profile.ts'
import { providers } from '../agents/registry.ts'

/** `bench agents`: the providers, and the profiles of the simulated one. */
export default async function agents(options: { json?: boolean }): Promise<number> {
  const rows = providers.map(({ name, summary, model }) => ({
    name: model === undefined ? name : `${name}:${model}`,
    summary,
  }))
  if (options.json)
    process.stdout.write(`${JSON.stringify({ providers: rows, profiles: profileNames() }, null, 2)}\n`)
  else {
    for (const { name, summary } of rows) process.stdout.write(`${name.padEnd(16)} ${summary}\n`)
    process.stdout.write(`\nProfiles of the simulated agent (--profile): ${profileNames().join(', ')}\n`)
  }
  return 0
}
