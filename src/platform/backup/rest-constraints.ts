import type { SingleClient } from '../db/client.ts'

type Resting = { readonly rest: string; readonly resume: string }

/**
 * Until the returned function is called, in the same transaction, the owner can insert rows unchanged, in any order of
 * the tables. Triggers would count and stamp them again; row security prevents the owner from copying; and foreign keys
 * have cycles, so they are dropped and created again, which checks all rows at once. An owner may do all of this
 * without being a superuser.
 */
export async function restConstraints(client: SingleClient): Promise<() => Promise<void>> {
  const { rows } = await client.query<Resting>(`
    select format('alter table %s no force row level security', oid::regclass) as rest,
      format('alter table %s force row level security', oid::regclass) as resume
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity
    union all
    select format('alter table %s disable trigger %I', tgrelid::regclass, tgname), format('alter table %s enable trigger %I', tgrelid::regclass, tgname)
    from pg_trigger join pg_class c on c.oid = tgrelid where c.relnamespace = 'public'::regnamespace and not tgisinternal and tgenabled = 'O'
    union all
    select format('alter table %s drop constraint %I', conrelid::regclass, conname),
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = 'public'::regnamespace and contype = 'f'`)
  await client.query(rows.map(({ rest }) => rest).join(';'))
  // The wall is the first to rest and the last to be there again: foreign keys are looked at as the owner sees the rows.
  return async () =>
    void (await client.query(
      rows
        .map(({ resume }) => resume)
        .reverse()
        .join(';'),
    ))
}
