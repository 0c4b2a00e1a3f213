/** SQL of an amount rounded to the digits of its currency: unrounded input would change the totals. */
export const inDigits = (sql: string, currency: string): string => `round(${sql}, currency_digits(${currency}))`
