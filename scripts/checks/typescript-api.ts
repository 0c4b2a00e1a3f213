// dependency-cruiser reads .ts files through the JavaScript API of TypeScript, which TypeScript 7 does not have. This gives
// it the one of TypeScript 6, as @tsd/typescript: the package `typescript` itself would bring a second `tsc`.
import { registerHooks } from 'node:module'

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    nextResolve(/^typescript(\/|$)/.test(specifier) ? `@tsd/${specifier}` : specifier, context),
})
