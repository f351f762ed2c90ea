import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'

const vitestFile = "import { it } from 'vitest'\nit('holds', () => {})\n"

describe('the test runner', () => {
  it.each([
    ['a file for all reports', "{ outputFile: 'out.xml' }"],
    ['a file for each report', "{ outputFile: { junit: 'out.xml' } }"],
    ['reports with options', "{ reporters: [['junit', { outputFile: 'out.xml', suiteName: 's' }]] }"],
  ])('reads the report of vitest where the project names %s, and writes nothing there', async (_, test) => {
    const files = { 'vitest.config.mjs': `export default { test: ${test} }\n`, 'a.test.mjs': vitestFile }
    const workspace = writeWorkspace(files, true)
    const { report } = await runTool('test-runner', [], workspace)
    const summary = { total: 1, passed: 1, failed: 0, skipped: 0 }
    expect(report).toEqual({ success: true, summary, failures: [] })
    expect(readdirSync(workspace).sort()).toEqual(['a.test.mjs', 'node_modules', 'vitest.config.mjs'])
  })

  needs('pytest for python3').it(
    'runs pytest with options of its cache in the settings, and leaves no cache',
    async () => {
      for (const options of ['--ff -ra', '--lf', '--nf', '-p no:cacheprovider']) {
        const files = {
          'pytest.ini': `[pytest]\naddopts = ${options}\n`,
          'test_a.py': 'def test_a(): assert 0\n',
        }
        const workspace = writeWorkspace(files)
        const first = await runTool('test-runner', [], workspace)
        expect(first.report).toMatchObject({ failures: [{ test_name: 'test_a', file: 'test_a.py' }] })
        expect(first.report.raw).toBeUndefined()
        expect(await runTool('test-runner', [], workspace)).toEqual(first)
        expect(readdirSync(workspace).sort()).toEqual(['pytest.ini', 'test_a.py'])
      }
    },
  )

  needs('pytest for python3').it('finds the test files that settings of pytest name', async () => {
    const settings = {
      'pytest.ini': '[pytest]\npython_files =\n    check_*.py\n    other.py\naddopts = -q\n',
      'pyproject.toml': '[tool.pytest.ini_options]\npython_files = ["x_*.py",\n  "check_*.py"]\n',
      'setup.cfg': '[metadata]\nname = a\n[tool:pytest]\npython_files = check_*.py\n',
      'tox.ini': '[tox]\n[pytest]\npython_files = check_[a-c].py\n',
    }
    for (const [path, text] of Object.entries(settings)) {
      const workspace = writeWorkspace({ [path]: text, 'tests/check_a.py': 'def test_a(): assert 0\n' })
      const { report } = await runTool('test-runner', [], workspace)
      expect(report.failures, path).toMatchObject([{ test_name: 'test_a', file: 'tests/check_a.py' }])
    }
    const others = writeWorkspace({ ...settings, 'test_a.py': 'def test_a(): pass\n' })
    const { report } = await runTool('test-runner', [], others)
    expect(report.raw.reason).toMatch(/^no tests were found/)
  })
})
