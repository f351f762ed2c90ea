import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapping } from 'node:module'
import type { Jiti } from 'jiti'
import { mapPlaces } from '../own-place.ts'

/**
 * Lets places in these files be told as their author wrote them: jiti runs something made of them, in which each line keeps its
 * place, but not what stands in it. The maps are made when something was thrown, by the same steps; `jiti` must make maps.
 */
export function mapSources(files: readonly string[], jiti: Jiti): void {
  for (const file of files) {
    let map: SourceMap | undefined
    mapPlaces(file, (line, column) => {
      try {
        map ??= mapOf(file, jiti)
        const { originalLine, originalColumn } = map.findEntry(line - 1, column - 1) as SourceMapping
        if (originalLine === line - 1) return { line, column: originalColumn + 1 }
      } catch {
        // The file has gone or was changed since: the place as it ran is the best that is known.
      }
      return { line, column }
    })
  }
}

function mapOf(file: string, jiti: Jiti): SourceMap {
  const source = readFileSync(file, 'utf8')
  const code = jiti.transform({ source, filename: file, ts: /\.m?ts$/.test(file), async: true })
  return new SourceMap(JSON.parse(Buffer.from(code.slice(code.lastIndexOf(',') + 1), 'base64').toString()))
}
