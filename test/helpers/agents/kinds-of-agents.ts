import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { cliKinds } from '../../../src/agents/cli/kinds.ts'
import { families } from '../../../src/agents/http/families.ts'
import { providers } from '../../../src/agents/registry.ts'
import type { ModelServer } from '../../model-server/server.ts'

/** An agent of some provider, and what must follow from it. */
export interface KindOfAgent {
  provider: string
  /** As typed. */
  name: string
  /** Its label in the config file. */
  label: string
  /** Paid, or a program. */
  isGated: boolean
  isProgram: boolean
  isSimulated: boolean
  /** Another agent, free and as simulated as this one. */
  beside: string
}

const modules = {
  'free.mjs': { isGated: false, isSimulated: true },
  'real.mjs': { isGated: false, isSimulated: false },
  'paid.mjs': { isGated: true, isSimulated: true },
  'paid-real.mjs': { isGated: true, isSimulated: false },
}

/** Providers whose agents reach nothing outside bench. */
const own = providers.filter(({ reaches }) => reaches === 'nothing').map(({ name }) => name)
/** Models that the price table knows, by provider. */
export const pricedModels: Readonly<Record<string, string>> = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  google: 'gemini-2.5-pro',
}
const models = [...families.map(({ name }) => `${name}:${pricedModels[name] ?? 'm'}`), 'ollama:test:latest']

/** Agents of every provider, with their files in a folder: each can be asked, and whatever is asked or started is seen. */
export function kindsOfAgents(
  server: ModelServer,
  folder: string,
): {
  kinds: KindOfAgent[]
  /** A config file that gives each of them a label. */
  config: string
  /** The programs that were started so far. */
  started(): string[]
} {
  const log = join(folder, 'started')
  chmodSync(folder, 0o755)
  for (const program of [...cliKinds.map(({ program }) => program), 'own-agent'])
    writeFileSync(join(folder, program), `#!/bin/sh\necho ${program} >> ${log}\necho 1.2.3\n`, {
      mode: 0o755,
    })
  for (const [file, { isGated, isSimulated }] of Object.entries(modules))
    writeFileSync(
      join(folder, file),
      `export const paid = ${isGated}\nexport const simulated = ${isSimulated}\nexport default () => 'Answer: 42'\n`,
    )
  for (const isSimulated of [true, false])
    writeFileSync(
      join(folder, `beside-${isSimulated}.mjs`),
      `export const simulated = ${isSimulated}\nexport default () => 'Answer: 41'\n`,
    )
  setEnvironment(folder, server.url)
  const kind = (name: string, facts: Partial<KindOfAgent>): KindOfAgent => ({
    beside: `scripted:${join(folder, `beside-${facts.isSimulated ?? false}.mjs`)}`,
    provider: name.split(':')[0] ?? '',
    name,
    label: name
      .replace(/^scripted:.*\//, 'scripted-')
      .replaceAll(/[^\w.]/g, '-')
      .concat('.own'),
    ...{ isGated: true, isProgram: false, isSimulated: false },
    ...facts,
  })
  const kinds = [
    ...own.map((name) => kind(name, { isGated: false, isSimulated: true })),
    ...Object.entries(modules).map(([file, facts]) => kind(`scripted:${join(folder, file)}`, facts)),
    ...models.map((name) => kind(name, {})),
    ...cliKinds.map(({ name }) => kind(`${name}:m`, { isProgram: true })),
    kind('acp:gemini --acp -m m', { isProgram: true }),
    // Only the config file describes it, so its label is its only name.
    { ...kind('cli', { isProgram: true }), name: 'cli.own' },
  ]
  return {
    kinds,
    config: `agents:\n${kinds.map(entryOf).join('')}`,
    started: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
  }
}

/** An entry with its own prices has its label in records. */
function entryOf({ provider, name, label }: KindOfAgent): string {
  const model = provider === 'cli' ? '' : name.slice(provider.length + 1)
  const fields = [
    `provider: ${provider}`,
    ...(model ? [`model: "${model}"`] : []),
    ...(provider === 'cli' ? ['program: { command: [own-agent], output: text }'] : []),
    'prices: { input: 1, output: 1 }',
  ]
  return `  ${label}: { ${fields.join(', ')} }\n`
}

function setEnvironment(programs: string, url: string): void {
  const key = 'sk-test-0123456789abcdef'
  Object.assign(process.env, {
    PATH: [programs, process.env.PATH].join(delimiter),
    OLLAMA_HOST: url,
    DASHSCOPE_API_KEY: key,
  })
  for (const { keyVariables, baseUrlVariable, version } of families) {
    if (keyVariables[0] !== undefined) process.env[keyVariables[0]] = key
    if (baseUrlVariable !== undefined)
      process.env[baseUrlVariable] = version === undefined ? `${url}/v1` : url
  }
}
