import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { root } from '../runs/cli.ts'

/** What `npm pack` would put into the package. */
export interface Packed {
  unpackedSize: number
  files: { path: string; size: number }[]
}

/** A project that has the package installed, and a PATH with Node, npm, git and coreutils alone. */
export interface Installed {
  packed: Packed
  project: string
  /** The folder of the bare PATH. */
  bin: string
  remove(): void
}

/** Makes a project that has the package installed as npm would install it: its files, beside its dependencies and the optional `peers` that are named. */
export async function installPackage(peers: readonly string[] = []): Promise<Installed> {
  const { stdout } = await execa('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], { cwd: root })
  const packed = JSON.parse(stdout)[0] as Packed
  const project = mkdtempSync(join(tmpdir(), 'bench-package-'))
  const modules = join(project, 'node_modules')
  for (const { path } of packed.files) {
    const to = join(modules, 'orchestration-bench', path)
    mkdirSync(dirname(to), { recursive: true })
    cpSync(join(root, path), to)
  }
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  for (const name of [...Object.keys(dependencies), ...peers]) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  mkdirSync(join(modules, '.bin'))
  symlinkSync('../orchestration-bench/dist/bench/cli.cjs', join(modules, '.bin/bench'))
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const bin = join(project, 'bin')
  await execa('sh', [join(root, 'scripts/bare-path.sh'), bin])
  return { packed, project, bin, remove: () => rmSync(project, { recursive: true, force: true }) }
}
