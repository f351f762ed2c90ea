// Compiles src/ and strategies/ into dist/. npm runs it at `npm ci` and again at each `npx bench`,
// so an unchanged tree must be answered quickly and write nothing.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url))
const bin = `${root}dist/src/cli.js`

// A package installed from a registry ships its dist/ and has no compiler.
if (!existsSync(tsc)) process.exit(existsSync(bin) ? 0 : 1)

// Outputs deleted by hand would never come back while the build info claims that they are current.
if (!existsSync(bin)) rmSync(`${root}dist/.tsbuildinfo`, { force: true })

const { status } = spawnSync(process.execPath, [tsc, '-p', root], { cwd: root, stdio: ['ignore', 2, 2] })
if (status !== 0) process.exit(status ?? 1)

// tsc emits 0644, and npm makes the bin executable only when it links it the first time.
if ((statSync(bin).mode & 0o111) !== 0o111) chmodSync(bin, 0o755)
