// Writes strategies/chained/state.schema.json: the state file of chains as JSON Schema, for programs in any language.
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ChainState } from '../dist/src/schema/stage/chain-state.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const path = 'strategies/chained/state.schema.json'
writeFileSync(path, JSON.stringify(z.toJSONSchema(ChainState), null, 2))
const biome = ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', path]
process.exitCode = spawnSync(process.execPath, biome, { stdio: ['ignore', 2, 2] }).status ?? 1
