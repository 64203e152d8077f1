import sys
from pathlib import Path
from cocotb_tools.runner import get_runner
ROOT=Path(__file__).resolve().parents[2]
sim,top,n,fast=sys.argv[1],sys.argv[2],int(sys.argv[3]),int(sys.argv[4])
r=get_runner(sim)
module={"samara_grain128":"aead_cases","samara_grain128_axi":"axi_cases"}[top]
build=Path(f"/tmp/chip/{sim}-{top}-{n}-{fast}")
args={"icarus":["-g2005"],"verilator":["-Wall","-Wno-fatal","-O3","-CFLAGS","-O1"]}[sim]
r.build(sources=sorted((ROOT/"rtl").glob("*.v")),hdl_toplevel=top,parameters={"N":n,"FAST":fast},build_args=args,build_dir=build,timescale=("1ns","1ps"))
r.test(hdl_toplevel=top,test_module=module,test_dir=str(ROOT/"tests/rtl"),build_dir=build,timescale=("1ns","1ps"))
