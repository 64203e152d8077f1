import sys
from pathlib import Path
from cocotb_tools.runner import get_runner
ROOT=Path(__file__).resolve().parents[2]
sim,n=sys.argv[1],int(sys.argv[2])
r=get_runner(sim)
build=Path(f"/tmp/chip/{sim}-{n}-{sys.argv[3]}")
args={"icarus":["-g2005"],"verilator":["-Wall","-Wno-fatal","-O3"]}[sim]
r.build(sources=sorted((ROOT/"rtl").glob("*.v")),hdl_toplevel="samara_grain128",parameters={"N":n,"FAST":int(sys.argv[3])},build_args=args,build_dir=build,timescale=("1ns","1ps"))
r.test(hdl_toplevel="samara_grain128",test_module="aead_cases",test_dir=str(ROOT/"tests/rtl"),build_dir=build,timescale=("1ns","1ps"))
