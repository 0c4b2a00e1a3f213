const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Markup. Only `html` creates it, so plain text cannot be used as markup. */
class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type { Html }
/** What a template may hold. Nothing is shown for null and false. */
export type HtmlContent = Html | string | number | null | false | readonly HtmlContent[]

/** Markup of a template, in which every value is text unless it is markup itself. Attribute values must be quoted. */
export function html({ raw }: TemplateStringsArray, ...values: readonly HtmlContent[]): Html {
  let text = raw[0] as string
  for (const [at, value] of values.entries()) text += textOf(value) + raw[at + 1]
  return new Html(text)
}

function textOf(value: HtmlContent): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(textOf).join('')
  return String(value).replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string)
}
