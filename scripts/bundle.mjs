// What the package holds of the compiled code: a bundle and a declaration file for each entry, and the programs that run where no package
// of bench is visible, a file each.
import fs from 'node:fs'
import { brotliCompressSync, constants } from 'node:zlib'
import { build } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const harness = 'src/graders/harness/node'
const libraries = ['jest-library', 'vitest-library', 'timers-library']
const tools = 'strategies/tools'
const plain = { platform: 'node', logLevel: 'warn', checks: { ineffectiveDynamicImport: false } }
/** Names stay, so that an error can be read. */
const withoutSpaces = { mangle: false, compress: false, codegen: { removeWhitespace: true } }

/** Large, needed by few commands, and quick to load by `require` as they are: npm installs them beside bench. */
const installed =
  /^(?:jiti|ignore|undici|yauzl|fzstd|fast-xml-parser|csv-parse|csv-stringify|lossless-json|decimal\.js|node-diff3|linkedom|hono|@hono\/node-server|@swc\/wasm-typescript|@babel\/parser|@pydantic\/genai-prices|@ai-sdk\/.+|@modelcontextprotocol\/server)(?:\/|$)/

/** Writes all programs into a folder. */
export async function bundlePrograms(folder) {
  await build([
    commandAndLibraries(folder),
    // The programs of grading in Node: they are copied into a folder of each check and grade.
    ...['node-test', 'jest', 'vitest', 'solution'].map((name) => ({
      ...plain,
      input: `${harness}/${name}.mjs`,
      external: libraries.map((library) => `./${library}.mjs`),
      output: { file: `${folder}/harness/${name}.mjs`, codeSplitting: false, minify: withoutSpaces },
    })),
    // Small, since they are copied with each run of specs.
    ...libraries.map((name) => ({
      ...plain,
      input: `${harness}/${name}.mjs`,
      transform: { define: { __dirname: 'import.meta.dirname' } },
      output: { file: `${folder}/harness/${name}.mjs`, codeSplitting: false, minify: true },
    })),
    // The tools that run in a workspace.
    ...['test-runner', 'build-checker', 'test-generator', 'accept-typescript'].map((name) => ({
      ...plain,
      input: `${tools}/${name}.mjs`,
      plugins: [compressedWasm],
      output: { file: `${folder}/tools/${name}.mjs`, codeSplitting: false, minify: true },
    })),
    // The client that methods hand to their stages, as text: hence small.
    {
      ...plain,
      input: `${tools}/client.mjs`,
      output: { file: `${folder}/client.mjs`, codeSplitting: false, minify: true },
    },
    ...['api', 'testing'].map((name) => declarations(folder, name)),
  ])
  for (const name of libraries) compressFile(`${folder}/harness/${name}.mjs`)
}

/** Few commands read it, and a package has no room for all of it. */
function compressFile(path) {
  fs.writeFileSync(`${path}.br`, brotliCompressSync(fs.readFileSync(path)))
  fs.rmSync(path)
}

/**
 * The command and the two libraries, in few files: each file that is opened costs a start. What is needed to print help is one of them, what
 * a simulated run needs is another. A module in either runs when it is first imported, as it would alone.
 */
function commandAndLibraries(folder) {
  const layers = {
    start: ['src/cli.js'],
    run: ['src/commands/run.js', 'src/graders/tests.js', 'src/graders/test-run/run-tests.js'],
  }
  return {
    ...plain,
    input: { cli: 'dist/src/cli.js', api: 'dist/src/api.js', testing: 'dist/src/testing.js' },
    external: (id) => installed.test(id),
    preserveEntrySignatures: 'allow-extension',
    // CommonJS: Node opens the many files of an ES module all at once, and takes longer to begin with one.
    output: {
      dir: folder,
      format: 'cjs',
      // Node reads the whole text of a file that it loads.
      comments: { jsdoc: false, annotation: false },
      minify: withoutSpaces,
      entryFileNames: '[name].cjs',
      chunkFileNames: ({ name }) => (name in layers ? '[name]-[hash].cjs' : 'part-[hash].cjs'),
      strictExecutionOrder: true,
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          // Never in one file with what other commands load.
          { name: 'queue', test: /\/dist\/src\/(?:commands\/)?queue\//, priority: 3 },
          { name: layerFinder(layers), debugName: 'layers', priority: 2 },
          { name: 'part', test: () => true, entriesAware: true, entriesAwareMergeThreshold: 40_000 },
        ],
      },
    },
  }
}

/** Returns a function that gives the first layer whose entries import a module, directly or not; null for others. */
function layerFinder(layers) {
  let found
  const closure = (entries, graph) => {
    const modules = new Set()
    const open = entries.map((entry) => `${process.cwd()}/dist/${entry}`)
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (modules.has(id)) continue
      modules.add(id)
      open.push(...(graph.getModuleInfo(id)?.importedIds ?? []))
    }
    return modules
  }
  return (id, graph) => {
    found ??= Object.entries(layers).map(([name, entries]) => [name, closure(entries, graph)])
    return found.find(([, modules]) => modules.has(id))?.[0] ?? null
  }
}

/** The declarations of an entry and of all that they name, as tsc wrote them, in one file. */
const declarations = (folder, name) => ({
  logLevel: 'silent',
  input: { [name]: `dist/src/${name}.d.ts` },
  external: (id) => !/^[./]/.test(id),
  plugins: [dts({ dtsInput: true, emitDtsOnly: true, tsconfig: false })],
  output: { dir: folder, format: 'es' },
})

/** A tool carries its compiler, 3.7 MB in base64. */
const compressedWasm = {
  name: 'compressed-wasm',
  transform(code, id) {
    if (!id.endsWith('@swc/wasm-typescript/wasm.js')) return null
    const text = /Buffer\.from\('([\w+/=]+)', 'base64'\)/
    const [, wasm] = text.exec(code) ?? []
    if (wasm === undefined) throw new Error(`${id} holds its program in another way now`)
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }
    const packed = brotliCompressSync(Buffer.from(wasm, 'base64'), options).toString('base64')
    return code.replace(
      text,
      () => `Buffer.from(require('node:zlib').brotliDecompressSync(Buffer.from('${packed}', 'base64')))`,
    )
  },
}
