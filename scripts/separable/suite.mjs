import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { amendedRules } from './chains/amended-rules.mjs'
import { depotMoves } from './chains/depot-moves.mjs'
import { oneBudget } from './chains/one-budget.mjs'
import { oneRegister } from './chains/one-register.mjs'
import { tornRoute } from './chains/torn-route.mjs'
import { boardMinutes } from './readings/board-minutes.mjs'
import { claimLetters } from './readings/claim-letters.mjs'
import { fieldDiaries } from './readings/field-diaries.mjs'
import { shiftLogs } from './readings/shift-logs.mjs'
import { siteInspections } from './readings/site-inspections.mjs'
import { supplyContracts } from './readings/supply-contracts.mjs'

/** The generated tasks of the suite `separable`, each with the files of its folder and with wrong results that tests use. */
export const makeSuite = () =>
  [
    siteInspections,
    claimLetters,
    fieldDiaries,
    boardMinutes,
    supplyContracts,
    shiftLogs,
    depotMoves,
    amendedRules,
    tornRoute,
    oneBudget,
    oneRegister,
  ].map((make) => make())

/** Writes what of generated tasks is not yet in the folder of their suite. */
export function writeSuite(folder, tasks) {
  for (const { id, folder: files } of tasks)
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, id, path)
      if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
}
