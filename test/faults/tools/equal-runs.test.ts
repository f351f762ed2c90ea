import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { runTool, writeWorkspace } from '../../helpers/tools/run-tool.ts'
import { unsteadyProjects } from '../../helpers/tools/unsteady-projects.ts'

const times = 4

for (const [name, { tool, files, packages = false }] of Object.entries(unsteadyProjects))
  (name.startsWith('pytest') ? needs('pytest for python3') : needs()).it(
    `${name}: equal runs in different folders give the same report and the same saving, byte for byte`,
    async () => {
      const seen = new Set<string>()
      const temporary = tempFolder()
      for (let i = 0; i < times; i++) {
        const workspace = writeWorkspace(files, packages)
        const saving = join(tempFolder(), 'saving.json')
        const { report } = await runTool(tool, ['--saving', saving], workspace, {
          // pytest counts its folders up.
          TMPDIR: i % 2 === 0 ? temporary : tempFolder(),
        })
        seen.add(`${JSON.stringify(report)}\n${readFileSync(saving, 'utf8')}`)
      }
      const [first = '', second = first] = [...seen]
      const at = [...first].findIndex((character, i) => character !== second[i])
      const around = (text: string) => (at < 0 ? '' : text.slice(Math.max(0, at - 200), at + 200))
      expect(around(second)).toBe(around(first))
      expect(second.length).toBe(first.length)
      expect(first).toMatch(/"success":false/)
      expect(first).toMatch(/"rawTokens":\d\d/)
    },
  )
