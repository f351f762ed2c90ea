import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseConfig } from '../../../src/commands/config/config-file.ts'
import type { RunOptions } from '../../../src/commands/config/run-options.ts'
import { selectMethods } from '../../../src/commands/methods/select-methods.ts'
import { readTools, resolveTools } from '../../../src/commands/session/equip.ts'
import { selectTools } from '../../../src/commands/tools/select-tools.ts'
import { withTools } from '../../../src/commands/tools/tool-files.ts'
import { makePlan } from '../../../src/loop/plan/plan.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Problem } from '../../../src/text/errors.ts'
import { documentWith } from '../../helpers/graph/tool-documents.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { mcpFixtures } from '../../helpers/tools/mcp-tools.ts'

/** Returns the ids of the trials of a command line, one of each method. */
async function idsOf(options: RunOptions, file = '{}', cwd = tempFolder()): Promise<string[]> {
  const problems: Problem[] = []
  const config = parseConfig(file, 'c.yaml')
  const selected = await selectMethods(options, config, problems)
  const read = readTools(
    selectTools({ options, config, isFromFile: () => false }, selected, problems),
    cwd,
    problems,
  )
  const { signal } = new AbortController()
  const parts = { cwd, sandbox: spawnUnsandboxed, signal, redact: undefined }
  const { tools } = await resolveTools(read, parts, problems)
  expect(problems).toEqual([])
  const plan = makePlan({
    ...{ tasks: [{ ref: 'a/b', digest: 't', limits: {} }], methods: withTools(selected.methods, tools) },
    ...{ agents: { '*': 'simulated' }, profile: null, limits: {}, seed: 1, epochs: 1 },
  })
  return [...plan].map(({ id }) => id).sort()
}

const distinct = async (all: readonly Promise<string[]>[]) =>
  new Set((await Promise.all(all)).map((ids) => ids.join(' '))).size
const orders = ['read, check, write', 'write, check, read', 'check, read, check, write, read']

it('the order of the tools of the workspace, and tools that are named twice, change no id of a trial', async () => {
  const typed = ['read,check,write', 'write,read,check'].map((tools) => idsOf({ methods: 'baseline', tools }))
  expect(await distinct(typed)).toBe(1)
  const configured = orders.map((allow) =>
    idsOf(
      { methods: 'baseline', tools: 'mine' },
      `tools: { mine: { kind: workspace, config: { allow: [${allow}] } } }`,
    ),
  )
  expect(await distinct(configured)).toBe(1)
  const file = join(tempFolder(), 'work.yaml')
  const documented: string[] = []
  // A document that names one twice is refused.
  for (const allow of orders.slice(0, 2)) {
    const tools = `\n  workspace: { kind: workspace, config: { allow: [${allow}] } }`
    writeFileSync(file, documentWith({ tools, maker: 'workspace' }))
    documented.push(...(await idsOf({ methods: `dag=dag:${file}` })))
    // The same tools under the same id are no clash.
    await idsOf({ methods: `dag=dag:${file}`, tools: 'check,read,write' })
  }
  expect(new Set(documented).size).toBe(1)
})

it('other tools of the workspace do', async () => {
  const tools = ['read,check', 'read,check,write', 'read'].map((tools) =>
    idsOf({ methods: 'baseline', tools }),
  )
  expect(await distinct(tools)).toBe(3)
})

it('nor does the order of the allowed tools of a server', async () => {
  const ids = ['add, count', 'count, add', 'add, count, add'].map((allow) =>
    idsOf(
      { methods: 'baseline', tools: 'notes' },
      `tools: { notes: { kind: mcp, config: { command: [node, notes.mjs], files: [notes.mjs], allow: [${allow}] } } }`,
      mcpFixtures,
    ),
  )
  expect(await distinct(ids)).toBe(1)
})
