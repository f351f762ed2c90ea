import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { tempFolder } from '../machine/temp.ts'
import { root } from '../runs/cli.ts'

/** Writes a workspace, with the packages of this checkout if `packages` says so. */
export function writeWorkspace(files: Readonly<Record<string, string>>, packages = false): string {
  const folder = realpathSync(tempFolder())
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  if (packages) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

/** Runs a built tool in a workspace; returns its report, its exit code and what it said beside. */
export async function runTool(
  name: string,
  args: readonly string[],
  workspace: string,
  env: Readonly<Record<string, string>> = {},
) {
  const program = join(root, 'dist/bench/tools', `${name}.mjs`)
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
    cwd: workspace,
    reject: false,
    stdin: 'ignore',
    // Plugins of this machine write files of their own, and take long to load.
    env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1', ...env },
  })
  const [line = '', ...more] = stdout.split('\n')
  return { exitCode, stderr, report: line === '' || more.length > 0 ? stdout : JSON.parse(line) }
}
