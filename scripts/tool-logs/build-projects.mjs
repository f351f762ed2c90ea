// Small projects that tsc and vite cannot build, each for another reason.

const options = { strict: true, module: 'nodenext', target: 'es2022', types: [], noEmit: true }
const tsconfig = (more = {}) =>
  JSON.stringify({ compilerOptions: { ...options, ...more.options }, ...more.top })
const part = { composite: true, noEmit: false, outDir: 'out' }

export const buildProjects = {
  'tsc-errors': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/main.ts': `import { add } from './add.js'
import { gone } from './gone.js'

const sum: string = add(1, 2)
add('one', 2)
console.log(sum, gone)
`,
      'src/add.ts': 'export const add = (a: number, b: number): number => a + b\n',
      'src/shape.ts': `interface Shape { size: { width: number; height: number } }
export const shape: Shape = { size: { width: 1, height: 'two' } }
export const handler: (value: { deep: { inner: string } }) => void = (value: { deep: { inner: number } }) => void value
`,
    },
  },
  'tsc-hundreds': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/many.ts': `${Array.from({ length: 300 }, (_, i) => `export const value${i + 1}: string = ${i + 1}`).join('\n')}\n`,
    },
  },
  'tsc-unicode': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/größe (alt)/日本語 datei.ts': "export const länge: number = 'zehn'\n",
    },
  },
  'tsc-syntax': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/a (1,2).ts': 'export const a = (1 + \n',
      'src/good.ts': "export const never: number = 'seen'\n",
    },
  },
  'tsc-references': {
    tool: 'tsc',
    args: ['--build'],
    files: {
      'tsconfig.json': JSON.stringify({ files: [], references: [{ path: 'base' }, { path: 'app' }] }),
      'base/tsconfig.json': tsconfig({ options: part }),
      'base/index.ts': "export const size: number = 'large'\n",
      'app/tsconfig.json': tsconfig({ options: part, top: { references: [{ path: '../base' }] } }),
      'app/index.ts': "import { size } from '../base/index.js'\nexport const text: string = size\n",
    },
  },
  'tsc-config': {
    tool: 'tsc',
    files: { 'tsconfig.json': tsconfig({ options: { target: 'es1' }, top: { include: ['nowhere'] } }) },
  },
  'tsc-colours': {
    tool: 'tsc',
    args: ['--pretty', 'true'],
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/main.ts': "export const count: number = 'one'\nexport const name: string = 2\n",
    },
  },
  'tsc-good': {
    tool: 'tsc',
    files: {
      'tsconfig.json': tsconfig({ top: { include: ['src'] } }),
      'src/main.ts': 'export const count: number = 1\n',
    },
  },
  'vite-missing': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': "import { value } from './gone.js'\nconsole.log(value)\n",
    },
  },
  'vite-syntax': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': "import './größe.js'\n",
      'src/größe.js': 'export const a = 1\nconst b = = 2\n',
    },
  },
  'vite-export': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': "import { missing, alsoMissing } from './there.js'\nconsole.log(missing, alsoMissing)\n",
      'src/there.js': 'export const there = 1\n',
    },
  },
  'vite-config': {
    tool: 'vite',
    files: { 'vite.config.js': "throw new Error('no configuration today')\n", 'index.html': '' },
  },
  'vite-css': {
    tool: 'vite',
    files: {
      'index.html':
        '<link rel="stylesheet" href="/style.css">\n<script type="module" src="/main.js"></script>\n',
      'main.js': 'eval("1")\nconsole.log(1)\n',
      'style.css': 'body { color: red\n@import "nowhere.css";\n.a { background: url(./none.png) }\n',
    },
  },
  'vite-warning': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/main.js"></script>\n',
      'main.js': "import { gone } from 'node:fs'\neval('1')\nconsole.log(gone)\n",
    },
  },
  'vite-good': {
    tool: 'vite',
    files: {
      'index.html': '<script type="module" src="/src/main.js"></script>\n',
      'src/main.js': 'console.log(1)\n',
    },
  },
}
