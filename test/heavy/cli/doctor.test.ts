import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folderOf, tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'
import { startModelServer } from '../../model-server/server.ts'

const key = 'sk-live-test-0123456789abcdef'

it('bench doctor lists every provider and named agent with its endpoint and what is missing, but no key', async () => {
  const server = await startModelServer([])
  onTestFinished(() => server.close())
  const cwd = tempFolder()
  const config = 'agents: { mine: { provider: openai, model: gpt-5, keyVariable: MY_OWN_KEY } }'
  writeFileSync(join(cwd, 'bench.config.yaml'), config)
  const env = {
    ANTHROPIC_API_KEY: key,
    OPENAI_API_KEY: undefined,
    OPENAI_BASE_URL: undefined,
    OPENAI_COMPATIBLE_BASE_URL: undefined,
  }
  const setting = { cwd, env: { ...env, ANTHROPIC_BASE_URL: server.url } }
  const text = await benchOk(['doctor', '--agents'], setting)
  expect(text).toMatch(
    /^ok +agent anthropic:MODEL +anthropic \(http:\/\/127\.0\.0\.1:\d+\/v1, ANTHROPIC_API_KEY\)$/m,
  )
  const dead = { ...setting.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:18999' }
  expect(await benchOk(['doctor', '--agents'], { cwd, env: dead })).toMatch(
    /^missing +agent anthropic:MODEL .*; nothing answers at http:\/\/127\.0\.0\.1:18999\/v1 \(ECONNREFUSED\)$/m,
  )
  expect(text).toMatch(/^missing +agent openai:MODEL +.*OPENAI_API_KEY is not set\n +Set it to your key/m)
  expect(text).toMatch(/^missing +agent mine +.*; context window 400000; .*MY_OWN_KEY is not set/m)
  expect(text).toMatch(/agent claude-cli:MODEL/)
  expect(text).toMatch(
    /agent openai-compatible:MODEL openai-compatible; OPENAI_COMPATIBLE_BASE_URL is not set$/m,
  )
  expect(text).not.toContain('seemed to work')
  expect(text).toMatch(/agent ollama\[:MODEL\]/)
  expect(text).toMatch(/^ok +agent acp\[:COMMAND\] +Any agent that speaks the Agent Client Protocol/m)
  expect(text).not.toContain(key)

  const short = (await benchOk(['doctor'], setting)).split('\n')
  const lines = short.filter((line) => /^\w+ +agents? /.test(line))
  expect(lines[0]).toMatch(
    /^ok +agents +simulated\[:MODEL\], oracle, no-op, .*: require no key and no program$/,
  )
  expect(lines[1]).toMatch(/^ok +agent anthropic:MODEL /)
  // Agents of the config file are probably used, so their problems are listed without --agents.
  expect(lines.at(-2)).toMatch(/^missing +agent mine +.*MY_OWN_KEY is not set/)
  expect(lines.at(-1)).toMatch(/^missing +agents +openai:MODEL, .*\bcodex-cli:MODEL, .*/)
  expect(lines.at(-1)).not.toMatch(/anthropic:MODEL|mine/)
  expect(short.indexOf(lines.at(-1) as string)).toBe(short.length - 2)
  expect(short.at(-1)).toContain('bench doctor --agents')
  expect(lines.findLastIndex((line) => line.startsWith('ok'))).toBeLessThan(
    lines.findIndex((line) => line.startsWith('missing')),
  )

  const found = JSON.parse(await benchOk(['doctor', '--json'], setting)) as { name: string; ok: boolean }[]
  for (const name of ['agent openai:MODEL', 'agent mine', 'agent codex-cli:MODEL'])
    expect(found.find((one) => one.name === name)).toMatchObject({ ok: false, fix: expect.any(String) })
})

it('bench doctor starts no program of the config file that has a key in it, and does not show the key', async () => {
  const cwd = tempFolder()
  const written = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789'
  const agents = ['acp', 'cli'].map(
    (provider) =>
      `  my-${provider}:\n    provider: ${provider}\n    model: m\n    program:\n      command: [node, --key=${written}]\n${provider === 'cli' ? '      output: text\n' : ''}`,
  )
  writeFileSync(join(cwd, 'bench.config.yaml'), `agents:\n${agents.join('')}`)
  const text = await benchOk(['doctor', '--agents'], { cwd })
  for (const provider of ['acp', 'cli'])
    expect(text).toMatch(
      new RegExp(
        `^missing +agent my-${provider} +bench\\.config\\.yaml:\\d+ agents\\.my-${provider}\\.program\\.command\\.1 has what looks like an API key; .*\\n +Set keyVariable`,
        'm',
      ),
    )
  expect(text).not.toContain(written)
})

it('bench doctor gives each agent with a key a line of its own, wherever the key is, and checks the others', async () => {
  const cwd = tempFolder()
  const secret = 'a1B2'.repeat(8)
  const program = (words: string) =>
    `{ provider: cli, model: m, program: { output: text, command: [${words}] } }`
  const wrong = {
    word: program(`node, --password, ${secret}`),
    address: program(`node, "https://me:${secret}@127.0.0.1/?api_key=${secret}"`),
    command: `"acp:agent --key sk-${secret}"`,
    model: `{ provider: acp, model: sk-${secret}, program: { command: [node] } }`,
    server: `{ provider: openai, model: m, baseUrl: "http://me:${secret}@127.0.0.1:1/v1" }`,
    variable: `{ provider: openai, model: m, keyVariable: sk-${secret} }`,
  }
  const lines = Object.entries(wrong).map(([label, agent]) => `  ${label}: ${agent}\n`)
  writeFileSync(
    join(cwd, 'bench.config.yaml'),
    `agents:\n${lines.join('')}  right: { provider: openai, model: m, baseUrl: "http://127.0.0.1:1/v1" }\n`,
  )
  const text = await benchOk(['doctor', '--agents'], { cwd })
  for (const label of Object.keys(wrong))
    expect(text).toMatch(
      new RegExp(`^missing +agent ${label} +bench\\.config\\.yaml:\\d+ agents\\.${label}\\b`, 'm'),
    )
  expect(text).toMatch(/^missing +agent right +openai \(http:\/\/127\.0\.0\.1:1\/v1/m)
  expect(text).not.toContain(secret)
})

it('bench doctor tells all that a tool of the config file lacks', async () => {
  const cwd = folderOf({
    'empty.md': '\n',
    'bench.config.yaml': `tools:
  units:
    id: unit
    kind: mcp
    config: { command: [no-such-program], files: [gone.mjs], allow: [convert] }
  unit: { kind: memory, config: { file: empty.md } }
`,
  })
  const found = JSON.parse(await benchOk(['doctor', '--json'], { cwd })) as Record<string, unknown>[]
  const [units, unit] = found.filter(({ name }) => String(name).startsWith('tool '))
  expect(units).toMatchObject({ name: 'tool units', ok: false })
  expect(units?.state).toMatch(
    /^must equal the name of the entry, units; "gone\.mjs" does not exist in .*; its program no-such-program is not on PATH$/,
  )
  expect(units?.fix).toBe('Leave id out. Correct the path. Install no-such-program.')
  expect(unit).toMatchObject({
    ok: true,
    state: 'memory of empty.md; empty.md is empty, so nothing can be recalled from it',
  })
})

it('bench doctor --call asks one agent for a word, and prints the reply and its cost, or the error', async () => {
  const server = await startModelServer([{ text: 'ok' }, { failure: { kind: 'status', status: 401 } }])
  onTestFinished(() => server.close())
  const env = { ANTHROPIC_API_KEY: key, ANTHROPIC_BASE_URL: server.url, OPENAI_API_KEY: undefined }
  const call = ['doctor', '--call', 'anthropic:claude-sonnet-4-5']
  const cwd = folderOf({
    'bench.config.yaml': 'prices: { "anthropic:claude-sonnet-4-5": { input: 3, output: 15 } }\n',
  })
  expect(await benchOk(call, { env, cwd })).toMatch(
    /^anthropic:claude-sonnet-4-5 .*replied "ok" in \d+ ms; tokens in \d+, out \d+; \$0\.\d+$/m,
  )
  const refused = await bench(call, { env, cwd })
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining('key: 401') })
  expect(server.asked()).toBe(2)
  const missing = await bench(['doctor', '--call', 'openai:gpt-5'], { env, cwd })
  expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining('OPENAI_API_KEY is not set') })
})
