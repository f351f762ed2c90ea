import { type Document, isAlias, isNode, visit } from 'yaml'
import type { Problem } from '../text/errors.ts'

/** What a document holds that no data is made of, at characters: an alias of nothing, or inside of what it stands for, and kinds other than JSON's. */
export function unfitNodes(document: Document.Parsed): (Omit<Problem, 'where'> & { at: number })[] {
  const unfit: (Omit<Problem, 'where'> & { at: number })[] = []
  visit(document, {
    Node(_, node, path) {
      const at = node.range?.[0] ?? 0
      if (isAlias(node) && node.resolve(document) === undefined)
        unfit.push({
          at,
          what: `holds *${node.source}, but nothing before it is called &${node.source}`,
          fix: 'Write its value out.',
        })
      else if (isAlias(node) && path.some((outer) => isNode(outer) && outer === node.resolve(document)))
        unfit.push({ at, what: `holds *${node.source}, which refers to itself`, fix: 'Write its value out.' })
      else if (node.tag !== undefined && foreign.test(node.tag))
        unfit.push({
          at,
          what: `is of the kind ${node.tag.replace('tag:yaml.org,2002:', '!!')}, which is none of ours`,
          fix: 'Write a plain value, list or map.',
        })
    },
  })
  return unfit
}

const foreign = /^tag:yaml\.org,2002:(?:set|omap|pairs|binary|timestamp)$/
