import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Script } from '../../model-server/script.ts'
import { type ModelServer, startModelServer } from '../../model-server/server.ts'
import { tempFolder } from '../machine/temp.ts'
import { root } from '../runs/cli.ts'

/** The key of every provider in live tests. It must not be in any file or output. */
export const key = 'sk-live-test-0123456789abcdef'

/** One agent of each wire format, by the role that asks it. */
export const families = {
  anthropic: 'anthropic:claude-sonnet-4-5',
  openai: 'openai:gpt-5',
  google: 'google:gemini-2.5-pro',
  compatible: 'openai-compatible:local-model',
  ollama: 'ollama:test',
}

/** The options that give each role of `families` its agent. */
export const familyAgents = Object.entries(families).flatMap(([role, name]) => ['--agent', `${role}=${name}`])

/** Returns the environment that leads each family to a model server. */
export const familyEnv = (url: string): Record<string, string> => ({
  ANTHROPIC_API_KEY: key,
  ANTHROPIC_BASE_URL: url,
  OPENAI_API_KEY: key,
  OPENAI_BASE_URL: `${url}/v1`,
  GEMINI_API_KEY: key,
  GOOGLE_GEMINI_BASE_URL: url,
  OPENAI_COMPATIBLE_API_KEY: key,
  OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
  OLLAMA_HOST: url,
})

/** Starts a model server until the end of the test. Returns it, the environment that leads there, and a place for a run. */
export async function familySetting(
  script: Script,
): Promise<{ server: ModelServer; env: Record<string, string>; folder: string }> {
  const server = await startModelServer(script, { ollamaModels: ['test:latest'] })
  onTestFinished(() => server.close())
  return { server, env: familyEnv(server.url), folder: join(tempFolder(), 'run') }
}

/**
 * Writes a strategy that asks the role of each family, side by side. `ask` is code that asks the role `name` by `ask()` and is the
 * value of its branch.
 */
export function familyStrategy(ask: string): string {
  const file = join(tempFolder(), 'all.mjs')
  const names = Object.keys(families)
  writeFileSync(
    file,
    `
import { defineStrategy, z } from ${JSON.stringify(join(root, 'dist/bench/api.js'))}
export default defineStrategy({
  name: 'all',
  summary: 'Asks to each family.',
  roles: { ${names.map((role) => `${role}: 'produce'`).join(', ')} },
  options: z.object({}),
  async run({ branch }) {
    const names = ${JSON.stringify(names)}
    const answers = await Promise.all(names.map((name) => branch(name, async ({ ask }) => ${ask})))
    return { answer: answers[0], stopReason: 'done' }
  },
})
`,
  )
  return file
}
