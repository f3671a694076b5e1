rule fit_sessions:
    """Fit boundaries that shift from trial to trial: what the simulated cohort is made from."""
    input:
        trials="results/{dataset}/trials.parquet",
        code=stage_code("analysis.session_fits"),
    output:
        fits="results/{dataset}/session_fits.csv",
        people="results/{dataset}/people.csv",
    log:
        "logs/{dataset}/fit_sessions.log",
    benchmark:
        "logs/{dataset}/fit_sessions.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.session_fits.describe_sessions",
    message:
        "Fitting whole sessions of {wildcards.dataset}"
    script:
        "../scripts/run_stage.py"


rule recover_sessions:
    """Compare the boundaries fitted to simulated subjects with the true ones."""
    input:
        fits="results/{dataset}/session_fits.csv",
        truth="results/{dataset}/truth.json",
        code=stage_code("analysis.session_recovery"),
    output:
        recovery="results/{dataset}/session_recovery.csv",
    log:
        "logs/{dataset}/recover_sessions.log",
    benchmark:
        "logs/{dataset}/recover_sessions.tsv"
    conda:
        "../../environment.yml"
    params:
        stage="analysis.session_recovery.compare_with_truth",
    message:
        "Comparing the fitted boundaries of {wildcards.dataset} with the true ones"
    script:
        "../scripts/run_stage.py"
