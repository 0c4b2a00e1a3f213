import type { SingleClient } from '../../src/platform/db/client.ts'

export type Column = {
  readonly name: string
  readonly type: string
  readonly not_null: boolean
  readonly default: string | null
  readonly generated: boolean
  /** Only for columns that are not stored by the default of their type. */
  readonly storage: string | null
  readonly comment: string | null
}
export type Constraint = {
  readonly kind: 'p' | 'u' | 'f' | 'c'
  readonly definition: string
  readonly columns: readonly string[]
  /** For a foreign key: whether it references the primary key. */
  readonly to_primary: boolean
  readonly comment: string | null
}
export type Relation = {
  readonly name: string
  readonly view: string | null
  readonly unlogged: boolean
  readonly options: readonly string[] | null
  readonly comment: string | null
  readonly columns: readonly Column[]
  readonly constraints: readonly Constraint[]
  readonly indexes: readonly { readonly definition: string; readonly comment: string | null }[]
  readonly triggers: readonly string[]
  /** Row-level security, policies and grants. */
  readonly protection: readonly string[]
}
export type Routine = {
  readonly name: string
  readonly head: string
  /** Null for a function whose body PostgreSQL stores parsed. */
  readonly body: string | null
  /** Owner and grants where they are not those of every function. */
  readonly protection: readonly string[]
  readonly comment: string | null
}

/** How the chunks of imports are stored depends on whether the server has lz4. */
const HAS_ONE_STORAGE = `c.relname <> 'import_chunks'`
const RELATIONS = `
  select c.relname as name, case c.relkind when 'v' then pg_get_viewdef(c.oid, true) end as view, c.relpersistence = 'u' as unlogged,
    c.reloptions || (select array_agg('toast.' || o) from pg_class t, unnest(t.reloptions) o where t.oid = c.reltoastrelid) as options,
    obj_description(c.oid, 'pg_class') as comment,
    (select json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod), 'not_null', attnotnull,
        'default', pg_get_expr(adbin, adrelid, true), 'generated', attgenerated <> '',
        'storage', case when attstorage <> typstorage and ${HAS_ONE_STORAGE} then case attstorage when 'e' then 'external' when 'm' then 'main' when 'p' then 'plain' else 'extended' end end,
        'comment', col_description(c.oid, attnum)) order by attnum)
      from pg_attribute join pg_type t on t.oid = atttypid left join pg_attrdef on adrelid = attrelid and adnum = attnum
      where attrelid = c.oid and attnum > 0 and not attisdropped) as columns,
    (select coalesce(json_agg(json_build_object('kind', contype, 'definition', pg_get_constraintdef(oid, true),
        'columns', (select json_agg(attname) from pg_attribute where attrelid = conrelid and attnum = any(conkey)),
        'to_primary', exists (select from pg_constraint p where p.conrelid = k.confrelid and p.contype = 'p' and p.conkey = k.confkey),
        'comment', coalesce(obj_description(oid, 'pg_constraint'), obj_description(conindid, 'pg_class')))
        order by position(contype in 'pufc'), oid), '[]')
      from pg_constraint k where conrelid = c.oid and contype in ('p', 'u', 'f', 'c')) as constraints,
    (select coalesce(json_agg(json_build_object('definition', pg_get_indexdef(indexrelid, 0, true), 'comment', obj_description(indexrelid, 'pg_class'))
        order by indexrelid), '[]')
      from pg_index where indrelid = c.oid and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))) as indexes,
    (select coalesce(json_agg(pg_get_triggerdef(oid, true) order by tgname), '[]') from pg_trigger where tgrelid = c.oid and not tgisinternal) as triggers,
    (select coalesce(json_agg(line order by at, line), '[]') from (
      select 0 as at, 'alter table ' || c.relname || concat_ws(',', case when c.relrowsecurity then ' enable row level security' end,
        case when c.relforcerowsecurity then ' force row level security' end) as line where c.relrowsecurity or c.relforcerowsecurity
      union all select 1, format('create policy %s on %s%s to %s using %s%s', polname, c.relname,
        case polcmd when '*' then '' else ' for ' || polcmd::text end, (select string_agg(r::regrole::text, ', ') from unnest(polroles) r),
        '(' || pg_get_expr(polqual, polrelid, true) || ')', ' with check (' || pg_get_expr(polwithcheck, polrelid, true) || ')')
        from pg_policy where polrelid = c.oid
      union all select 2, format('grant %s on %s to %s', rights, c.relname, string_agg(role, ', ' order by role)) from (
        select grantee::regrole::text as role, lower(string_agg(privilege_type, ', ' order by privilege_type)) as rights
        from aclexplode(c.relacl) where grantee <> c.relowner group by 1) g group by rights
    ) lines) as protection
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')`

const ROUTINES = `
  select proname as name, obj_description(p.oid, 'pg_proc') as comment,
    concat_ws(' ', case prokind when 'p' then 'create procedure' else 'create function' end,
      proname || '(' || regexp_replace(pg_get_function_arguments(p.oid), '\\mIN ', '', 'g') || ')', 'returns ' || pg_get_function_result(p.oid),
      'language ' || lanname, case provolatile when 'i' then 'immutable' when 's' then 'stable' end, case proparallel when 's' then 'parallel safe' end,
      case when prosecdef then 'security definer' end, 'set ' || array_to_string(proconfig, ' set ')) as head,
    case when prosqlbody is null then 'as $$' || prosrc || '$$' end as body,
    array_remove(array[
      case when proowner <> (select relowner from pg_class where oid = 'accounts'::regclass) then format('alter function %s owner to %s', proname, proowner::regrole) end,
      case when proacl is not null and not exists (select from aclexplode(proacl) where grantee = 0) then format('revoke all on function %s from public', proname) end,
      (select 'grant execute on function ' || proname || ' to ' || string_agg(grantee::regrole::text, ', ') from aclexplode(proacl)
        where grantee <> 0 and grantee <> proowner)
    ], null) as protection
  from pg_proc p join pg_language l on l.oid = prolang
  where pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`

/** The tables, views and functions in the catalogue of a migrated database. */
export async function readSchema(client: SingleClient): Promise<{ relations: Relation[]; routines: Routine[] }> {
  const { rows: relations } = await client.query<Relation>(RELATIONS)
  const { rows: routines } = await client.query<Routine>(ROUTINES)
  return { relations, routines }
}
