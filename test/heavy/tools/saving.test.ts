import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ToolSaving } from '../../../src/schema/stage/protocol.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

const failing = {
  'test/a.test.mjs': `import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
test('holds', () => {})
test('fails', () => {
  throw new Error(\`\${performance.now()}ms, pid \${process.pid}, \${process.cwd()}/x, \${mkdtempSync(tmpdir() + '/own-')}\`)
})
`,
}

/** Runs a tool, and returns what it printed and what it wrote about the saving, as text. */
async function savingOf(tool: string, files: Readonly<Record<string, string>>, packages = false) {
  const path = join(tempFolder(), 'saving.json')
  const ran = await runTool(tool, ['--saving', path], writeWorkspace(files, packages), {
    TMPDIR: tempFolder(),
  })
  return { ...ran, saving: existsSync(path) ? readFileSync(path, 'utf8') : undefined }
}

describe('--saving', () => {
  it('writes the tokens of the output and of the report, and equal runs write the same', async () => {
    const [one, other] = [await savingOf('test-runner', failing), await savingOf('test-runner', failing)]
    expect(other).toEqual(one)
    expect(one.report.failures).toMatchObject([{ error: 'Error: … ms, pid …, x, /tmp/…' }])
    const saving = ToolSaving.parse(JSON.parse(one.saving ?? ''))
    expect(saving.tool).toBe('test-runner')
    expect(saving.compactTokens).toBe(Math.ceil(JSON.stringify(one.report).length / 4))
    expect(saving.rawTokens).toBeGreaterThan(saving.compactTokens)
  })

  it('counts a marker of a simulated reply in the output by its characters', async () => {
    const marker = '[[900000 tokens of detail]]'
    const { saving } = await savingOf('test-runner', {
      'test/a.test.mjs': `import { test } from 'node:test'\ntest('${marker}', () => { throw new Error('${marker}') })\n`,
    })
    expect(JSON.parse(saving ?? '').rawTokens).toBeLessThan(1000)
  })

  it('is of all that a build checker ran, and may be below 0', async () => {
    const { report, saving } = await savingOf(
      'build-checker',
      { 'tsconfig.json': '{ "compilerOptions": { "types": [] } }', 'a.ts': "const a: number = ''\n" },
      true,
    )
    expect(report.summary.errors).toBe(1)
    const { tool, rawTokens, compactTokens } = JSON.parse(saving ?? '')
    expect(tool).toBe('build-checker')
    expect(compactTokens).toBeGreaterThan(rawTokens)
  })

  it.each(['test-runner', 'build-checker'])('writes nothing where nothing ran: %s', async (tool) => {
    const { exitCode, report, saving } = await savingOf(tool, { 'a.txt': '' })
    expect({ exitCode, success: report.success, saving }).toEqual({
      exitCode: 1,
      success: false,
      saving: undefined,
    })
  })

  it('says that its file cannot be written, after the report', async () => {
    const path = join(tempFolder(), 'gone', 'saving.json')
    const { exitCode, report, stderr } = await runTool(
      'test-runner',
      ['--saving', path],
      writeWorkspace(failing),
    )
    expect(report.summary.total).toBe(2)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^--saving .*saving\.json cannot be written: ENOENT/)
  })
})
