import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, vi } from 'vitest'
import { openSandbox } from '../../../src/sandbox/open-sandbox.ts'
import { needs } from '../../helpers/house/needs.ts'

const programs = fileURLToPath(new URL('../../../src/sandbox/programs', import.meta.url))
const starting = fileURLToPath(new URL('../../../dist/bench/start-process.js', import.meta.url))
const { project } = vi.hoisted(() => ({ project: { path: '' } }))
vi.mock('../../../src/base/package-root.ts', () => ({
  packageRoot: () => join(project.path, 'node_modules/orchestration-bench'),
}))
project.path = mkdtempSync(join(tmpdir(), 'beside-'))
afterAll(() => rmSync(project.path, { recursive: true, force: true }))

needs('bwrap').it(
  'the sandbox hides tasks and results from an agent that is installed beside this package',
  async () => {
    const modules = join(project.path, 'node_modules')
    const own = join(modules, 'orchestration-bench')
    for (const folder of ['tasks/code/sum/solution', 'results/published', 'docs'])
      mkdirSync(join(own, folder), { recursive: true })
    writeFileSync(join(own, 'tasks/code/sum/solution/sum.mjs'), 'the solution')
    writeFileSync(join(own, 'results/published/records.jsonl'), 'the solution')
    writeFileSync(join(own, 'docs/design.md'), 'no secret')
    cpSync(programs, join(own, 'src/sandbox/programs'), { recursive: true })
    cpSync(starting, join(own, 'dist/bench/start-process.js'))
    const agent = join(modules, '.bin/agent')
    mkdirSync(join(modules, '.bin'))
    mkdirSync(join(modules, 'agent'))
    writeFileSync(
      join(modules, 'agent/agent'),
      `#!/bin/sh\ncd ${own}\nls docs tasks results\ncat tasks/code/sum/solution/sum.mjs\ntouch tasks/mine\n`,
    )
    chmodSync(join(modules, 'agent/agent'), 0o755)
    chmodSync(project.path, 0o755)
    symlinkSync('../agent/agent', agent)
    const sandbox = await openSandbox('bubblewrap')
    const { stdout, stderr } = await sandbox.run({ files: {}, command: [agent], timeoutMs: 20_000 })
    expect(stdout).toBe('docs:\ndesign.md\n\nresults:\n\ntasks:\n')
    expect(stderr).toMatch(/sum\.mjs.*No such file(.|\n)*Read-only file system/)
  },
)
