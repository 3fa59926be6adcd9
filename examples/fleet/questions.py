"""Five questions about a fleet, as SQL over its Parquet files."""

QUESTIONS = {
    "Which repositories carry hidden text?": """
        select repository, count(*) as places, list(distinct rule order by rule) as rules, min(path) as first_file
        from findings where "group" = 'unicode' and level = 'error'
        group by repository order by places desc, repository
    """,
    "Whose context is cut?": """
        select repository, path, line, message
        from findings where rule = 'context-truncated' order by repository, path, line
    """,
    "Which rules are dead, and which speak everywhere?": """
        select r.rule, count(f.rule) as findings, count(distinct f.repository) as repositories
        from rules r left join findings f on f.rule = r.rule
        group by r.rule order by findings desc, r.rule
    """,
    "Which agents have how much to read?": """
        select agent, count(distinct repository) as repositories, count(*) as contexts,
               cast(median(bytes) as bigint) as median_bytes, max(bytes) as most_bytes, arg_max(repository, bytes) as most_in
        from contexts group by agent order by agent
    """,
    "Which repositories told nothing, and why?": """
        select state, case when state = 'ok' then 'no hint file' else reason end as why, count(*) as repositories,
               min(repository) as first_one
        from repositories where state <> 'ok' or hint_files = 0 group by all order by repositories desc, why
    """,
}
