# How often Snakemake looks for jobs to run.
UNLIMITED = 10_000


def lift_job_rate():
    """Take a limit of jobs per time away that limits nothing, such as the one of the profile.

    While there is one, Snakemake sets a timer of its length whenever it has looked for jobs, and looks again when it is
    over. Each job that ends brings one look and so one timer more, all of them last as long as jobs wait to be run,
    and a run ends when the last one does.
    """
    limiter = workflow.scheduler.job_rate_limiter
    if limiter is not None and limiter.max_jobs >= UNLIMITED:
        workflow.scheduler.job_rate_limiter = None
