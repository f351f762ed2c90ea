import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import replay from '../../../src/commands/replay.ts'
import { printEstimate } from '../../../src/commands/session/dry-run.ts'
import { executeRun } from '../../../src/commands/session/execute.ts'
import { readRecords } from '../../../src/loop/record/records.ts'
import { keepEnvironment } from '../../helpers/machine/environment.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { writeDocumentMethod } from '../../helpers/runs/document-method.ts'
import { startModelServer } from '../../model-server/server.ts'

const key = 'sk-0123456789abcdef'
const tools = () => ({ signal: new AbortController().signal, onEvent: () => {} })

beforeEach(() => {
  const restore = keepEnvironment()
  Object.assign(process.env, { DOCUMENT_KEY: key, ORCHESTRATION_BENCH_CACHE: tempFolder() })
  const silent = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  return () => {
    silent.mockRestore()
    restore()
  }
})

/** A run whose document names a model on loopback for the solver, and a module for the critic. */
async function prepared() {
  const server = await startModelServer([{ text: 'Answer: 42', always: true }])
  const folder = tempFolder()
  const critic = join(folder, 'critic.mjs')
  writeFileSync(critic, "export const simulated = false\nexport default () => 'Good.'\n")
  const settings = { baseUrl: `${server.url}/v1`, keyVariable: 'DOCUMENT_KEY' }
  const methods = writeDocumentMethod(folder, {
    solver: { name: 'remote=openai-compatible:m', settings },
    critic: { name: `scripted:${critic}` },
  })
  const trust = { trustCode: true, sandbox: 'none' }
  const options = { tasks: 'ferry-morning', methods, mode: 'live', ...trust, out: join(folder, 'run') }
  return { server, folder, critic, options }
}

it('agents of a document answer in a live run, which resumes and replays without the document and prints no key', async () => {
  const { server, folder, options } = await prepared()
  const began = await executeRun({ ...options, epochs: '2', parallel: '1', maxCalls: '3' }, tools())
  expect(began.end).toMatchObject({ trials: 2, done: 1 })
  rmSync(join(folder, 'agents.json'))
  await executeRun({ resume: options.out, maxCalls: 'none' }, tools())
  expect([...readRecords(options.out)].map(({ simulated }) => simulated)).toEqual([false, false])
  expect(server.asked()).toBe(2)
  expect(await replay(options.out, undefined, { times: '2' })).toBe(0)
  expect(server.asked()).toBe(2)
  for (const file of readdirSync(options.out, { recursive: true, encoding: 'utf8' })) {
    const path = join(options.out, file)
    if (statSync(path).isFile()) expect(readFileSync(path, 'utf8')).not.toContain(key)
  }
  await server.close()
})

it('a module that a document names is code of the run folder: another person’s folder needs --trust-code', async () => {
  const { server, options } = await prepared()
  await executeRun({ ...options, maxCalls: '1' }, tools())
  rmSync(join(options.out, 'origin'))
  const resumed = executeRun({ resume: options.out, maxCalls: 'none' }, tools())
  await expect(resumed).rejects.toThrow(/was not started by you.*critic\.mjs.*--trust-code/s)
  await expect(replay(options.out, undefined, { times: '1' })).rejects.toThrow(/critic\.mjs/)
  await executeRun({ resume: options.out, maxCalls: 'none', trustCode: true }, tools())
  expect([...readRecords(options.out)]).toHaveLength(1)
  await server.close()
})

it('--dry-run of such a run asks simulated agents, and no agent of the document', async () => {
  const { server, options } = await prepared()
  expect(await printEstimate(options, tools().signal)).toBe(0)
  expect(server.asked()).toBe(0)
  await server.close()
})
