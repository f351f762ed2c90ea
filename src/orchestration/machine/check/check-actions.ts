import { type Add, asList, asMap } from '../../../yaml/raw.ts'
import type { Site } from './list-states.ts'

const actions = ['log', 'validate', 'generate']

/** Reports what a state cannot do when it begins. */
export function checkActions(sites: readonly Site[], add: Add): void {
  for (const { node, path } of sites)
    asList(node.on_enter).forEach((value, i) => {
      const fields = Object.entries(asMap(value) ?? {})
      const [[name, text] = ['', ''], ...more] = fields
      if (actions.includes(name) && typeof text === 'string' && text !== '' && more.length === 0) return
      add(
        [...path, 'on_enter', i],
        more.length > 0 ? 'must be one action' : 'is no action',
        'Write `log: TEXT`, `validate: PATH` or `generate: PATH`, each as an item of its own.',
      )
    })
}
