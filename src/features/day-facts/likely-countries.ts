import { termKey } from '../../catalogue/term-key.ts'
import { countriesIn, type Hints, placeNamed } from './place-named.ts'

/**
 * The countries in which a name of a trip is likely to be: those of its other names, as far as these are unambiguous. A
 * name does not count for itself, so that "Córdoba" next to "Sevilla" is not in Argentina.
 */
export function likelyCountries(
  names: readonly (string | null)[],
  flown: Hints['flown'],
): (name: string | null) => ReadonlySet<string> {
  const countriesByTerm = new Map(
    names.flatMap((name) => (name === null ? [] : [[termKey(name), countriesOf(name, flown)]])),
  )
  return (name) => {
    const key = name === null ? null : termKey(name)
    return new Set([...countriesByTerm].flatMap(([other, countries]) => (other === key ? [] : countries)))
  }
}

function countriesOf(name: string, flown: Hints['flown']): readonly string[] {
  const place = placeNamed(name, { flown, likely: new Set(), from: null })
  return [...countriesIn(name), ...(place === null || place === 'ambiguous' ? [] : [place.country])]
}
